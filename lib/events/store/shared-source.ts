import { z } from 'zod';
import {
  type EventDraft,
  eventBackgroundSchema,
  eventSchema,
  type SignedUrls,
} from '../model/schema.ts';
import type { EventsRead, EventsSource } from './source.ts';
import { createTimeSlices } from './time-slices.ts';

/** Gives a text that instances share, or has one of them load it; `loadedAt` in Unix ms. */
export type GetOrLoad = (
  name: string,
  wish: Readonly<{ ttlMs: number; load: () => Promise<string> }>,
) => Promise<Readonly<{ text: string; loadedAt: number }>>;

export type SharedSourceOptions = Readonly<{
  getOrLoad: GetOrLoad;
  /** The same for all instances that read the same table in the same way. */
  name: string;
  /** How old a read of another instance may be. */
  ageMaxMs: number;
}>;

/** A source that instances read together: one of them at a time, and the others take what it has read. */
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
      // What another version of this program has written may say something else.
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

// One line for each event: written and read while requests go on being served.
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
