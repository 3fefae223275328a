import type { Log } from '#lib/http/log.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
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

/**
 * Stores the current slugs, and returns all that were ever stored → event ids.
 * @param readAtMs when the events were read; an older read changes nothing.
 */
export type StoreSlugs = (
  slugs: ReadonlyMap<string, string>,
  readAtMs: number,
) => Promise<FormerSlugs>;

type ReadEvents = Readonly<{
  version: string;
  readAtMs: number;
  events: readonly MarqueeEvent[];
  formerSlugs: FormerSlugs;
}>;

/** Finds the former slugs of a snapshot's events, including those from before this process started. */
export type SlugHistory = (snapshot: ReadEvents) => Promise<FormerSlugs>;

type SlugHistoryOptions = Readonly<{
  store: StoreSlugs;
  log: Log;
  /** Events are shown without waiting longer than this. */
  timeoutMs?: number;
}>;

/** While slugs cannot be stored, only the former slugs that this process has seen are known. */
export function createSlugHistory({
  store,
  log,
  timeoutMs = 1_000,
}: SlugHistoryOptions): SlugHistory {
  let storedVersion: string | null = null;
  return async ({ version, readAtMs, events, formerSlugs }) => {
    if (version === storedVersion) return formerSlugs;
    const current = new Map(events.map(({ slug, id }) => [slug, id]));
    try {
      const stored = await withTimeout(store(current, readAtMs), timeoutMs);
      storedVersion = version;
      const former = [...stored].filter(([slug, id]) => current.get(slug) !== id);
      return new Map([...former, ...formerSlugs]);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      log.warn({ code }, 'slugs of events could not be stored');
      return formerSlugs;
    }
  };
}
