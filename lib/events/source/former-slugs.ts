import type { Kysely } from 'kysely';
import type { Log } from '#lib/http/log.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { compareText } from '../model/dates.ts';
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
 * @param readAtMs when the events were read, Unix ms; rows of a later read stay as they are.
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
      log.warn(toLogFields(error), 'slugs of events could not be stored');
      return formerSlugs;
    }
  };
}

/** Slugs of events, former ones included. */
export type SlugStore = Readonly<{ update: StoreSlugs }>;

/** SQLite takes 32,766 parameters in a statement; a row has 3. */
const slugRowsMax = 500;
/** The latest ones are enough, and bound the memory. */
const slugsMax = 20_000;

export function createSlugStore(run: RunQuery): SlugStore {
  return {
    update: (slugs, readAtMs) =>
      run(async (db) => {
        const stored = await selectLatest(db);
        const changed = [...slugs]
          .filter(([slug, id]) => stored.get(slug) !== id)
          .map(([slug, id]) => ({ slug, event_id: id, read_at: readAtMs }))
          // In one order, so that instances do not wait for each other's rows in a circle.
          .sort((a, b) => compareText(a.slug, b.slug));
        for (let start = 0; start < changed.length; start += slugRowsMax) {
          await db
            .insertInto('marquee_event_slugs')
            .values(changed.slice(start, start + slugRowsMax))
            .onConflict((on) =>
              on
                .column('slug')
                .doUpdateSet((update) => ({
                  event_id: update.ref('excluded.event_id'),
                  read_at: update.ref('excluded.read_at'),
                }))
                .whereRef('marquee_event_slugs.read_at', '<=', 'excluded.read_at'),
            )
            .execute();
        }
        return new Map([...stored, ...slugs]);
      }),
  };
}

async function selectLatest(db: Kysely<Schema>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('marquee_event_slugs')
    .select(['slug', 'event_id'])
    .orderBy('read_at', 'desc')
    .limit(slugsMax)
    .execute();
  return new Map(rows.map((row) => [row.slug, row.event_id]));
}
