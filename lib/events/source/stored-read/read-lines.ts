import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { compareText } from '../../model/dates.ts';
import { columns, fieldNames } from '../../model/field-lists.ts';
import { eventBackgroundSchema, pictureSchema } from '../../model/poster.ts';
import { type EventDraft, eventSchema, type Picture, type SignedUrls } from '../../model/schema.ts';
import { problemGroupSchema } from '../airtable/problem-groups.ts';
import { readerNumber as shape } from '../reading.ts';
import type { EventsRead } from '../source.ts';
import type { Line } from './parts.ts';

/** Releases that know the same fields and columns share a read; others read for themselves. */
const fieldsDigest = createHash('sha256')
  .update(JSON.stringify([fieldNames, columns]))
  .digest('base64url')
  .slice(0, 12);

type Settings = Readonly<{
  airtable: Readonly<{
    apiUrl: string;
    baseId: string | null;
    table: string;
    view: string | null;
    columns: Readonly<Record<string, string>>;
  }>;
  events: Readonly<{ timeZone: string }>;
  site: Readonly<{ url: string }>;
}>;

/** Names a read in the database: the table, how it is read, and how the read is written. */
export function toReadName({ airtable, events, site }: Settings): string {
  const { apiUrl, baseId, table, view, columns } = airtable;
  const source = [apiUrl, baseId, table, view, columns];
  return JSON.stringify([...source, events.timeZone, site.url, shape, fieldsDigest]);
}

/** A read with all that was known of its pictures. */
export type CompleteRead = Required<Omit<EventsRead, 'readAtMs'>>;

const headSchema = z.object({
  events: z.number(),
  rows: z.number(),
  repairs: z.record(z.string(), z.number()),
  problems: z.array(problemGroupSchema),
  durationMs: z.number().default(0),
});

const attachmentSchema = z.object({
  id: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
});

const draftSchema: z.ZodType<EventDraft> = eventSchema
  .omit({ slug: true, status: true, pictures: true, logoUrl: true })
  .extend({
    background: eventBackgroundSchema.omit({ imageUrl: true }).nullable(),
    attachments: z.object({
      logo: attachmentSchema.nullable(),
      background: attachmentSchema.nullable(),
    }),
  });

const eventLineSchema = z.object({ draft: draftSchema, pictures: z.array(pictureSchema) });

const signedUrlsSchema: z.ZodType<SignedUrls> = z.object({
  logo: z.url().nullable(),
  background: z.url().nullable(),
});

const urlsLineSchema = z.object({ id: z.string(), urls: signedUrlsSchema });

/**
 * A head, the events in the order of their ids, and their signed URLs: these differ after each read, and so are apart
 * from what seldom changes. Written in time slices.
 */
export async function* writeRead(read: CompleteRead): AsyncGenerator<Line> {
  const { drafts, rows, repairs, problems, durationMs, pictures, signedUrls } = read;
  const yieldWhenDue = createTimeSlices();
  const ordered = drafts.toSorted((a, b) => compareText(a.id, b.id));
  yield toLine('', { events: ordered.length, rows, repairs, problems, durationMs });
  for (const draft of ordered) {
    const { logo, background } = draft.attachments;
    const known = [logo, background].flatMap((picture) => pictures.get(picture?.id ?? '') ?? []);
    yield toLine(draft.id, { draft, pictures: known });
    await yieldWhenDue();
  }
  for (const { id } of ordered) {
    const urls = signedUrls.get(id);
    if (urls !== undefined) yield toLine(id, { id, urls });
    await yieldWhenDue();
  }
}

function toLine(id: string, value: object): Line {
  return { id, text: JSON.stringify(value) };
}

/** @throws Error if the lines are those of another version of this program. */
export async function parseRead(lines: AsyncIterable<string>): Promise<CompleteRead> {
  const yieldWhenDue = createTimeSlices();
  const drafts: EventDraft[] = [];
  const pictures = new Map<string, Picture>();
  const signedUrls = new Map<string, SignedUrls>();
  let head: z.infer<typeof headSchema> | null = null;
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (head === null) {
      head = headSchema.parse(value);
    } else if (drafts.length < head.events) {
      const { draft, pictures: known } = eventLineSchema.parse(value);
      drafts.push(draft);
      for (const picture of known) pictures.set(picture.id, picture);
    } else {
      const { id, urls } = urlsLineSchema.parse(value);
      signedUrls.set(id, urls);
    }
    await yieldWhenDue();
  }
  if (head === null || drafts.length < head.events) throw new Error('Lines are missing.');
  const { rows, repairs, problems, durationMs } = head;
  return { drafts, rows, signedUrls, repairs, problems, durationMs, pictures };
}
