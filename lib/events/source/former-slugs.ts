import type { YieldWhenDue } from '#lib/http/timing/time-slices.ts';
import type { MarqueeEvent } from '../model/schema.ts';

/** Slugs from earlier reads → event ids. */
export type FormerSlugs = ReadonlyMap<string, string>;

type SnapshotPart = Readonly<{
  events: readonly MarqueeEvent[];
  positionById: ReadonlyMap<string, number>;
  positionBySlug: ReadonlyMap<string, number>;
  formerSlugs: FormerSlugs;
}>;

/** The oldest ones are dropped first. */
const formerSlugsMax = 10_000;

/** Adds the slugs that events lost between two snapshots. */
export async function collectFormerSlugs(
  before: Pick<SnapshotPart, 'events' | 'formerSlugs'> | undefined,
  after: Pick<SnapshotPart, 'events' | 'positionById'>,
  yieldWhenDue: YieldWhenDue,
): Promise<FormerSlugs> {
  if (before === undefined) return new Map();
  const changed: [slug: string, id: string][] = [];
  for (const { id, slug } of before.events) {
    const position = after.positionById.get(id);
    const event = position === undefined ? undefined : after.events[position];
    if (event !== undefined && event.slug !== slug) changed.push([slug, id]);
    await yieldWhenDue();
  }
  if (changed.length === 0) return before.formerSlugs;
  return new Map([...before.formerSlugs, ...changed].slice(-formerSlugsMax));
}

/** The event that had this slug before, unless another event has it now. */
export function findRenamed(snapshot: SnapshotPart, slug: string): MarqueeEvent | undefined {
  const name = slug.toLowerCase();
  if (snapshot.positionById.has(slug) || snapshot.positionBySlug.has(name)) return undefined;
  const position = snapshot.positionById.get(snapshot.formerSlugs.get(name) ?? '');
  return position === undefined ? undefined : snapshot.events[position];
}
