import { z } from 'zod';
import { createPace } from './pacer.ts';
import { createDraftMemory, type DraftMemory } from './reuse.ts';
import { type EventDraft, eventSchema } from './schema.ts';
import type { EventsRead, EventsSource } from './source.ts';

/** Gives a text that instances share, or has one of them load it; `loadedAt` in Unix ms. */
export type Remember = (
  name: string,
  wish: Readonly<{ ttlMs: number; load: () => Promise<string> }>,
) => Promise<Readonly<{ text: string; loadedAt: number }>>;

export type SharedSourceOptions = Readonly<{
  remember: Remember;
  /** The same for all instances that read the same table in the same way. */
  name: string;
  /** How old a read of another instance may be. */
  ageMaxMs: number;
}>;

/** A source that instances read together: one of them at a time, and the others take what it has read. */
export function createSharedSource(
  source: EventsSource,
  { remember, name, ageMaxMs }: SharedSourceOptions,
): EventsSource {
  const memory = createDraftMemory();
  return {
    async read() {
      let own: EventsRead | null = null;
      const { text, loadedAt } = await remember(name, {
        ttlMs: ageMaxMs,
        async load() {
          own = await source.read();
          return toText(own);
        },
      });
      // What another version of this program has written may say something else.
      const read = own ?? (await fromText(text, memory));
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
  .omit({ slug: true, status: true, pictures: true })
  .extend({
    attachments: z.object({
      logo: attachmentSchema.nullable(),
      background: attachmentSchema.nullable(),
    }),
  });

const mendingsSchema = z.record(z.string(), z.number());

// One line for each event: written and read while requests go on being served.
async function toText({ drafts, mendings }: EventsRead): Promise<string> {
  const pace = createPace();
  const lines = [JSON.stringify(mendings)];
  for (const draft of drafts) {
    lines.push(JSON.stringify(draft));
    await pace();
  }
  return lines.join('\n');
}

async function fromText(text: string, memory: DraftMemory): Promise<EventsRead | null> {
  const pace = createPace();
  const [first = '', ...lines] = text.split('\n');
  try {
    const mendings = mendingsSchema.parse(JSON.parse(first));
    const drafts: EventDraft[] = [];
    for (const line of lines) {
      drafts.push(memory.keep(draftSchema.parse(JSON.parse(line))));
      await pace();
    }
    memory.remember(drafts);
    return { drafts, mendings };
  } catch {
    return null;
  }
}
