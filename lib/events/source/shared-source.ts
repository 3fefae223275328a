import { z } from 'zod';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import {
  type Attachment,
  type EventDraft,
  eventBackgroundSchema,
  eventSchema,
  type Picture,
  pictureSchema,
  type SignedUrls,
  type ToPicture,
} from '../model/schema.ts';
import type { EventsRead, EventsSource } from './source.ts';

/** Returns a text that instances share, or lets one of them load it; `loadedAt` in Unix ms. */
export type GetOrLoad = (
  name: string,
  options: Readonly<{ ttlMs: number; ageMaxMs?: number; load: () => Promise<string> }>,
) => Promise<Readonly<{ text: string; loadedAt: number }>>;

type SharedSourceOptions = Readonly<{
  getOrLoad: GetOrLoad;
  /** Cache key: equal in all instances that read the same table in the same way. */
  name: string;
  /** Maximum age of another instance's read. */
  ageMaxMs: number;
  /** Default: events have no pictures. */
  toPicture?: ToPicture;
}>;

type SharedRead = EventsRead & Readonly<{ pictures: ReadonlyMap<string, Picture> }>;

/**
 * Raise it for a change that older or newer releases could not read: a new field without a default, or a new meaning.
 * Releases with the same number share a read; others read for themselves.
 */
const shape = 2;

/**
 * A source that instances share: one reads the table, and the others reuse its result. That includes picture data, so
 * that all have the same content version, bodies and ETags.
 */
export function createSharedSource(
  source: EventsSource,
  { getOrLoad, name, ageMaxMs, toPicture = () => null }: SharedSourceOptions,
): EventsSource {
  /** Of the previous read. */
  let known: ReadonlyMap<string, Picture> = new Map();

  function findPicture(attachment: Attachment): Picture | null {
    const picture = toPicture(attachment);
    // Another instance may have fetched what this one has not.
    return picture?.thumbHash === null ? (known.get(attachment.id) ?? picture) : picture;
  }

  function findPictures(drafts: readonly EventDraft[]): Map<string, Picture> {
    const pictures = new Map<string, Picture>();
    for (const { attachments } of drafts) {
      for (const attachment of [attachments.logo, attachments.background]) {
        const picture = attachment && findPicture(attachment);
        if (picture !== null) pictures.set(picture.id, picture);
      }
    }
    return pictures;
  }

  return {
    async read(readAgeMaxMs = ageMaxMs) {
      let own: SharedRead | null = null;
      const { text, loadedAt } = await getOrLoad(`${name} ${shape}`, {
        ttlMs: ageMaxMs,
        ageMaxMs: readAgeMaxMs,
        async load() {
          const read = await source.read();
          own = { ...read, pictures: findPictures(read.drafts) };
          return toText(own);
        },
      });
      // null: written by another version of this program.
      const read = own ?? (await fromText(text));
      if (read === null) return source.read();
      known = read.pictures;
      return { ...read, readAtMs: loadedAt };
    },
  };
}

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

const signedUrlsSchema: z.ZodType<SignedUrls> = z.object({
  logo: z.url().nullable(),
  background: z.url().nullable(),
});

const lineSchema = z.object({
  draft: draftSchema,
  urls: signedUrlsSchema.optional(),
  pictures: z.array(pictureSchema),
});

const repairsSchema = z.record(z.string(), z.number());

// One line per event, so that it can be written and parsed in time slices.
async function toText(read: SharedRead): Promise<string> {
  const { drafts, signedUrls, repairs, pictures } = read;
  const yieldWhenDue = createTimeSlices();
  const lines = [JSON.stringify(repairs)];
  for (const draft of drafts) {
    const { logo, background } = draft.attachments;
    const known = [logo, background].flatMap((one) => pictures.get(one?.id ?? '') ?? []);
    lines.push(JSON.stringify({ draft, urls: signedUrls.get(draft.id), pictures: known }));
    await yieldWhenDue();
  }
  return lines.join('\n');
}

async function fromText(text: string): Promise<SharedRead | null> {
  const yieldWhenDue = createTimeSlices();
  const [first = '', ...lines] = text.split('\n');
  try {
    const repairs = repairsSchema.parse(JSON.parse(first));
    const drafts: EventDraft[] = [];
    const signedUrls = new Map<string, SignedUrls>();
    const pictures = new Map<string, Picture>();
    for (const line of lines) {
      const { draft, urls, pictures: known } = lineSchema.parse(JSON.parse(line));
      drafts.push(draft);
      for (const picture of known) pictures.set(picture.id, picture);
      if (urls !== undefined) signedUrls.set(draft.id, urls);
      await yieldWhenDue();
    }
    return { drafts, signedUrls, repairs, pictures };
  } catch {
    return null;
  }
}
