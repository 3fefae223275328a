import type { Kysely } from 'kysely';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import type { ChangeType, EventChange } from './change.ts';
import { selectHeadRow } from './history-rows.ts';

/** Changes are stored for this many days. */
export const changesDays = 90;
const dayMs = 86_400_000;

/** Where a list of changes begins: after a position, at a time (Unix ms), or with the oldest. */
export type ChangesStart = Readonly<{ after: number } | { atMs: number }> | null;

export type ChangesPage = Readonly<{
  changes: readonly EventChange[];
  /** The position to continue after. */
  next: number;
  hasMore: boolean;
  /** When the newest recorded read of the table began, Unix ms; 0 before the first one. */
  readAtMs: number;
}>;

type ListOptions = Readonly<{ start: ChangesStart; limit: number; types: readonly ChangeType[] }>;

export type ChangeStore = Readonly<{
  /** Lists changes, the oldest first; null if the start was never a position, or its changes have been deleted. */
  list: (options: ListOptions) => Promise<ChangesPage | null>;
  /** The position of the newest change, 0 without any, and when the last recorded read began. */
  findHead: () => Promise<Readonly<{ position: number; readAtMs: number }>>;
  /** Deletes what is older than `changesDays`, in parts; returns how many changes this part had. */
  prune: (nowMs: number) => Promise<number>;
}>;

/** Few enough for the event loop, on which SQLite deletes. */
const prunedMax = 250;

export function createChangeStore(run: RunQuery): ChangeStore {
  return {
    list: ({ start, limit, types }) =>
      run(async (db) => {
        const head = await selectHeadRow(db);
        const after = await findStart(db, start, head.position);
        if (after === null) return null;
        const rows = await db
          .selectFrom('marquee_event_changes')
          .select(['position', 'change'])
          .where('position', '>', after)
          .where('position', '<=', head.position)
          .$if(types.length > 0, (query) => query.where('type', 'in', types))
          .orderBy('position')
          .limit(limit + 1)
          .execute();
        const hasMore = rows.length > limit;
        const shown = rows.slice(0, limit);
        return {
          changes: shown.map(({ change }) => JSON.parse(change)),
          next: hasMore ? (shown.at(-1)?.position ?? after) : Math.max(after, head.position),
          hasMore,
          readAtMs: head.read_at,
        };
      }),
    findHead: () =>
      run(async (db) => {
        const { position, read_at: readAtMs } = await selectHeadRow(db);
        return { position, readAtMs };
      }),
    prune: (nowMs) =>
      run(async (db) => {
        const beforeMs = nowMs - changesDays * dayMs;
        await db.deleteFrom('marquee_event_history').where('removed_at', '<', beforeMs).execute();
        const oldest = await selectOldest(db);
        if (oldest === null) return 0;
        // Without gaps, whatever the clocks did: up to the first one that stays.
        const end = oldest + prunedMax;
        const kept = await db
          .selectFrom('marquee_event_changes')
          .select(({ fn }) => fn.min<number | null>('position').as('position'))
          .where('at', '>=', beforeMs)
          .where('position', '<', end)
          .executeTakeFirst();
        const { numDeletedRows } = await db
          .deleteFrom('marquee_event_changes')
          .where('position', '<', kept?.position ?? end)
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

async function findStart(
  db: Kysely<Schema>,
  start: ChangesStart,
  newest: number,
): Promise<number | null> {
  const before = ((await selectOldest(db)) ?? newest + 1) - 1;
  if (start === null) return before;
  if ('after' in start) return start.after >= before && start.after <= newest ? start.after : null;
  const first = await selectOldest(db, start.atMs);
  return first === null ? newest : first - 1;
}

/** The position of the oldest change, of all or of those that were found at a time or later (Unix ms). */
async function selectOldest(db: Kysely<Schema>, sinceMs?: number): Promise<number | null> {
  const row = await db
    .selectFrom('marquee_event_changes')
    .select(({ fn }) => fn.min('position').as('position'))
    .$if(sinceMs !== undefined, (query) => query.where('at', '>=', sinceMs ?? 0))
    .executeTakeFirst();
  return row?.position ?? null;
}
