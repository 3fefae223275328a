import type { MarqueeEvent } from '../model/schema.ts';
import type { YieldWhenDue } from './time-slices.ts';

/** Slugs that events had in earlier reads of this process, and the ids of those events. */
export type FormerSlugs = ReadonlyMap<string, string>;

/** What is needed of a snapshot here. */
type Read = Readonly<{
  events: readonly MarqueeEvent[];
  positionById: ReadonlyMap<string, number>;
  positionBySlug: ReadonlyMap<string, number>;
  formerSlugs: FormerSlugs;
}>;

/** Those that were given up longest ago are forgotten first. */
const rememberedMax = 10_000;

/** The slugs that were known as former ones before, and those that events have given up since. */
export async function collectFormerSlugs(
  before: Pick<Read, 'events' | 'formerSlugs'> | undefined,
  after: Pick<Read, 'events' | 'positionById'>,
  yieldWhenDue: YieldWhenDue,
): Promise<FormerSlugs> {
  if (before === undefined) return new Map();
  const given: [slug: string, id: string][] = [];
  for (const { id, slug } of before.events) {
    const position = after.positionById.get(id);
    const event = position === undefined ? undefined : after.events[position];
    if (event !== undefined && event.slug !== slug) given.push([slug, id]);
    await yieldWhenDue();
  }
  if (given.length === 0) return before.formerSlugs;
  return new Map([...before.formerSlugs, ...given].slice(-rememberedMax));
}

/** The event that once had a slug which no event has now. */
export function findRenamed(snapshot: Read, slug: string): MarqueeEvent | undefined {
  const name = slug.toLowerCase();
  if (snapshot.positionById.has(slug) || snapshot.positionBySlug.has(name)) return undefined;
  const position = snapshot.positionById.get(snapshot.formerSlugs.get(name) ?? '');
  return position === undefined ? undefined : snapshot.events[position];
}
