import { z } from 'zod';
import {
  type EventDraft,
  eventBackgroundSchema,
  eventSchema,
  type SignedUrls,
} from '../model/schema.ts';
import type { EventsRead, EventsSource } from './source.ts';
import { createTimeSlices } from './time-slices.ts';

/** Returns a text that instances share, or lets one of them load it; `loadedAt` in Unix ms. */
export type GetOrLoad = (
  name: string,
  options: Readonly<{ ttlMs: number; load: () => Promise<string> }>,
) => Promise<Readonly<{ text: string; loadedAt: number }>>;

export type SharedSourceOptions = Readonly<{
  getOrLoad: GetOrLoad;
  /** Cache key: equal in all instances that read the same table in the same way. */
  name: string;
  /** Maximum age of another instance's read. */
  ageMaxMs: number;
}>;

/** A source that instances share: one of them reads the table, and the others reuse the result. */
export function createSharedSource(
  source: EventsSource,
  { getOrLoad, name, ageMaxMs }: SharedSourceOptions,
): EventsSource {
  return {
    async read() {
      let own: EventsRead | null = null;
      const { text, loadedAt } = await getOrLoad(name, {
        ttlMs: ageMaxMs,
        async load() {
          own = await source.read();
          return toText(own);
        },
      });
      // null: written by another version of this program.
      const read = own ?? (await fromText(text));
      return read === null ? source.read() : { ...read, readAtMs: loadedAt };
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

const lineSchema = z.object({ draft: draftSchema, urls: signedUrlsSchema.optional() });

const repairsSchema = z.record(z.string(), z.number());

// One line per event, so that it can be written and parsed in time slices.
async function toText({ drafts, signedUrls, repairs }: EventsRead): Promise<string> {
  const yieldWhenDue = createTimeSlices();
  const lines = [JSON.stringify(repairs)];
  for (const draft of drafts) {
    lines.push(JSON.stringify({ draft, urls: signedUrls.get(draft.id) }));
    await yieldWhenDue();
  }
  return lines.join('\n');
}

async function fromText(text: string): Promise<EventsRead | null> {
  const yieldWhenDue = createTimeSlices();
  const [first = '', ...lines] = text.split('\n');
  try {
    const repairs = repairsSchema.parse(JSON.parse(first));
    const drafts: EventDraft[] = [];
    const signedUrls = new Map<string, SignedUrls>();
    for (const line of lines) {
      const { draft, urls } = lineSchema.parse(JSON.parse(line));
      drafts.push(draft);
      if (urls !== undefined) signedUrls.set(draft.id, urls);
      await yieldWhenDue();
    }
    return { drafts, signedUrls, repairs };
  } catch {
    return null;
  }
}
