import type { Kysely } from 'kysely';
import { dayMs, toUtcDay } from '#lib/storage/days.ts';
import type { RunQuery, Schema } from '#lib/storage/schema.ts';
import type { UsageRow } from '../ledger/usage-record.ts';

/** Whose requests: of a member, of keys, or of the whole site. */
export type RequestOwner =
  | Readonly<{ memberId: string }>
  | Readonly<{ keyIds: readonly string[] }>
  | 'site';

/** Which of them. What is left out does not matter. */
export type RequestFilter = Readonly<{
  owner: RequestOwner;
  model?: string | undefined;
  session?: string | undefined;
  /** Their `x-request-id`. Those of keys are found by an index. */
  requestId?: string | undefined;
  /** HTTP statuses, both included. */
  statuses?: Readonly<{ from: number; to: number }> | undefined;
  /** `YYYY-MM-DD`, UTC. */
  day?: string | undefined;
  /** The dearest first, without those whose cost is not known. It has no index: give a day, too. */
  isByCost?: boolean | undefined;
}>;

/** A request, as the place in the list after it. */
export type RequestPlace = Readonly<{
  /** What orders the list: when it began (Unix ms), or its cost in nano dollars. */
  value: number;
  id: string;
}>;

/** `next`: the place where the following page begins; null: there are no more. */
type RequestPage = Readonly<{ requests: readonly UsageRow[]; next: RequestPlace | null }>;

/**
 * Lists requests that have ended or were rejected, the newest or dearest first, a page at a time: for the pages of a
 * member and of the admins. A page may have fewer than `limit`, even none, and yet a `next`: model, session and status
 * have no index, so each page looks through a bounded number of requests, or those of one day.
 */
export type ListRequests = (
  filter: RequestFilter,
  page: Readonly<{ after: RequestPlace | null; limit: number }>,
) => Promise<RequestPage>;

/** @param readLong with SQLite it reads in a thread: a thousand rows stopped the event loop for 50 ms */
export function createRequestReader(readLong: RunQuery, scannedMax = 10_000): ListRequests {
  return (filter, { after, limit }) =>
    readLong(async (db) => {
      const isBounded = filter.isByCost || isIndexed(filter);
      const floor = isBounded ? null : await findFloor(db, filter, { after, scannedMax });
      const { model, session, requestId, statuses } = filter;
      let query = selectPlaces(db, filter, after).where('lease_until', 'is', null);
      if (model !== undefined) query = query.where('model', '=', model);
      if (session !== undefined) query = query.where('session', '=', session);
      if (requestId !== undefined) query = query.where('request_id', '=', requestId);
      if (statuses !== undefined) {
        query = query.where('status', '>=', statuses.from).where('status', '<=', statuses.to);
      }
      if (floor !== null) query = query.where('at', '>=', floor.value);
      const rows = await query
        .selectAll()
        .limit(limit + 1)
        .execute();
      const requests = rows.slice(0, limit);
      const last = requests.at(-1);
      if (rows.length <= limit || last === undefined) return { requests, next: floor };
      return { requests, next: { value: last[toOrder(filter)] ?? 0, id: last.id } };
    });
}

function isIndexed({ owner, model, session, requestId, statuses }: RequestFilter): boolean {
  if (requestId !== undefined) return owner !== 'site' && 'keyIds' in owner;
  return model === undefined && session === undefined && statuses === undefined;
}

/** All that a filter lets through, page by page: for downloads. */
export async function* readRequests(
  listRequests: ListRequests,
  filter: RequestFilter,
): AsyncIterable<readonly UsageRow[]> {
  let after: RequestPlace | null = null;
  do {
    const page: RequestPage = await listRequests(filter, { after, limit: downloadedMax });
    if (page.requests.length > 0) yield page.requests;
    after = page.next;
  } while (after !== null);
}

/** At once. */
const downloadedMax = 250;

/** The place after the last request that a page looks at; null: it reaches the end. */
async function findFloor(
  db: Kysely<Schema>,
  filter: RequestFilter,
  { after, scannedMax }: Readonly<{ after: RequestPlace | null; scannedMax: number }>,
): Promise<RequestPlace | null> {
  const last = await selectPlaces(db, filter, after)
    .select('at')
    .limit(1)
    .offset(scannedMax)
    .executeTakeFirst();
  // No id is before the empty one: all requests of that moment are looked at.
  return last === undefined ? null : { value: last.at, id: '' };
}

/** In the order of the list; by index, unless they are those of a day by their cost. */
function selectPlaces(db: Kysely<Schema>, filter: RequestFilter, after: RequestPlace | null) {
  const { owner, day } = filter;
  const order = toOrder(filter);
  let query = db.selectFrom('marquee_usage');
  if (order === 'cost_nano_usd') query = query.where(order, 'is not', null);
  if (owner === 'site') {
    // The index of the whole site begins with the day.
    if (order === 'at') query = query.orderBy('day', 'desc');
    if (order === 'at' && after !== null) query = query.where('day', '<=', toUtcDay(after.value));
    if (day !== undefined) query = query.where('day', '=', day);
  } else if ('keyIds' in owner) {
    query = query.where('key_id', 'in', owner.keyIds);
  } else {
    query = query.where('member_id', '=', owner.memberId);
  }
  if (owner !== 'site' && day !== undefined) {
    const startMs = Date.parse(day);
    query = query.where('at', '>=', startMs).where('at', '<', startMs + dayMs);
  }
  if (after !== null) {
    const { value, id } = after;
    query = query
      .where(order, '<=', value)
      .where((row) => row.or([row(order, '<', value), row('id', '<', id)]));
  }
  return query.orderBy(order, 'desc').orderBy('id', 'desc');
}

function toOrder({ isByCost }: RequestFilter): 'at' | 'cost_nano_usd' {
  return isByCost ? 'cost_nano_usd' : 'at';
}
