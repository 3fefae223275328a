import { isCalendarDate } from '#lib/events/model/dates.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import type { UsageRow } from '#lib/spend/ledger/usage-record.ts';
import type { RejectionCount } from '#lib/spend/store/rejection-store.ts';
import type { RequestFilter, RequestOwner, RequestPlace } from '#lib/spend/store/request-reader.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { firstPage, type ListQuery, type ListStart } from '#lib/storage/lists.ts';
import { isPlaygroundKeyId, toPlaygroundKeyId } from '../account/playground-key.ts';
import { toKeyName } from '../account/usage-files.ts';
import { type CsvColumns, toIsoTime } from '../files/csv-file.ts';
import type { ListFields, ListState } from './list-query.ts';
import type { ListSource, ListView } from './list-view.ts';

/** A request as its record has it, and the names that exist at present; null: the operator's, or a deleted member's. */
export type NamedRequest = Readonly<{ row: UsageRow; keyName: string; memberName: string | null }>;

/** Where the documentation says what to do about an error. */
export function toErrorPath(code: string): string {
  return `/docs/errors#${code}`;
}

/**
 * What files have of a request: all of its record, but for the upstream, which is the operator’s business. Cached tokens
 * are parts of `tokens_in`.
 */
export const requestColumns: CsvColumns<Omit<NamedRequest, 'memberName'>> = {
  at: ({ row }) => toIsoTime(row.at),
  key: ({ keyName }) => keyName,
  model: ({ row }) => row.model,
  endpoint: ({ row }) => row.endpoint,
  request_id: ({ row }) => row.request_id,
  reply_id: ({ row }) => row.reply_id,
  session: ({ row }) => row.session,
  streamed: ({ row }) => row.is_streamed === 1,
  status: ({ row }) => row.status,
  error_code: ({ row }) => row.error_code,
  tokens_in: ({ row }) => row.tokens_in,
  tokens_out: ({ row }) => row.tokens_out,
  tokens_cached: ({ row }) => row.tokens_cached,
  tokens_cache_written: ({ row }) => row.tokens_cache_written,
  tokens_estimated: ({ row }) => row.is_estimated === 1,
  cost_usd: ({ row }) => (row.cost_nano_usd === null ? null : row.cost_nano_usd / 1e9),
  cost_source: ({ row }) => row.cost_source,
  first_byte_ms: ({ row }) => row.first_byte_ms,
  duration_ms: ({ row }) => row.duration_ms,
  group: ({ row }) => row.group_name,
  reached_limit: ({ row }) => row.reached_limit,
  documentation: ({ row }) => row.error_code && toErrorPath(row.error_code),
};

const filters = {
  /** Of members by their ids; a page offers those that there are. */
  key: { label: 'Key' },
  model: { label: 'Model' },
  status: {
    label: 'Status',
    all: 'Any',
    options: [
      ['ok', 'Succeeded'],
      ['failed', 'Failed or cancelled'],
      ['400', '400 invalid'],
      ['402', '402 budget used up'],
      ['403', '403 model not allowed'],
      ['404', '404 unknown model'],
      ['429', '429 too many requests'],
      ['499', '499 client disconnected'],
      ['500', '500 server error'],
      ['502', '502 upstream failed'],
      ['503', '503 unavailable'],
      ['504', '504 upstream too slow'],
    ],
    accepts: (status) => toStatuses(status) !== undefined,
  },
  session: { label: 'Session', input: { maxLength: 200 } },
  /** An `x-request-id`. */
  request: { label: 'Request id', input: { maxLength: 64 } },
  /** `YYYY-MM-DD`, UTC. */
  day: { label: 'Day (UTC)', input: { type: 'date' }, accepts: isCalendarDate },
} as const satisfies ListFields['filters'];

const fields = {
  filters,
  sorts: {
    newest: { words: 'Newest first', pages: ['Newest', 'Older'] },
    cost: { words: 'Most expensive of a day', pages: ['Most expensive', 'Cheaper'] },
  },
  // Costs have no index.
  toDefaults: (sort, now): Readonly<Record<string, string>> =>
    sort === 'cost' ? { day: toUtcDay(now) } : {},
} as const satisfies ListFields;

type Sort = keyof typeof fields.sorts;
type Filter = keyof typeof filters;
type Filters = ListState<Sort, Filter | 'person'>;
type MemberSource = Pick<ListSource, 'database'> & Readonly<{ memberId: string }>;

/** The requests of a member. */
export const requestsOfMember = {
  ...fields,
  path: '/account/requests',
  columns: requestColumns,
  async load({ database, memberId }, query) {
    const { key, request } = query.filters;
    const isByKey = key !== undefined || request !== undefined;
    const keys = isByKey ? await database.keys.list(memberId) : [];
    const owner = isByKey ? { keyIds: toKeyIds(keys, memberId, key) } : { memberId };
    return loadRequests(database, query, owner);
  },
} as const satisfies ListView<NamedRequest, Sort, Filter, MemberSource>;

/** The requests of everybody. */
export const requestsOfSite = {
  ...fields,
  filters: {
    person: { label: 'Member (address or id)', input: { maxLength: 300 } },
    ...filters,
  },
  path: '/admin/requests',
  columns: {
    ...requestColumns,
    member_id: ({ row }) => row.member_id,
    member: ({ memberName }) => memberName,
    key_id: ({ row }) => row.key_id,
    upstream: ({ row }) => row.upstream,
  },
  load: async ({ database }, query) =>
    loadRequests(database, query, await findOwner(database, query)),
} as const satisfies ListView<NamedRequest, Sort, Filter | 'person'>;

type Stores = ListSource['database'];

/** Without keys: there is no such member. */
async function findOwner(
  { members }: Stores,
  { filters: { key, person } }: Filters,
): Promise<RequestOwner> {
  if (key !== undefined) return { keyIds: [key] };
  if (person === undefined) return 'site';
  const [found] = person.includes('@') ? await members.findByAddress(person) : [{ id: person }];
  return found === undefined ? { keyIds: [] } : { memberId: found.id };
}

/** A key of somebody else is no key. */
function toKeyIds(keys: readonly KeyRecord[], memberId: string, key: string | undefined): string[] {
  const ids = [...keys.map(({ id }) => id), toPlaygroundKeyId(memberId)];
  return key === undefined ? ids : ids.filter((id) => id === key);
}

async function loadRequests(
  { usage, keys, members }: Stores,
  { limit, start, ...query }: ListQuery<Sort, Filter | 'person'>,
  owner: RequestOwner,
) {
  const after = readPlace(start);
  const filter = { ...toFilter(query), owner };
  const isOfNobody = owner !== 'site' && 'keyIds' in owner && owner.keyIds.length === 0;
  const { requests, next } = isOfNobody
    ? noRequests
    : await usage.listRequests(filter, { after, limit });
  const keyIds = requests.map(({ key_id }) => key_id).filter((id) => !isPlaygroundKeyId(id));
  const [keyNames, memberNames] = await Promise.all([
    keys.names([...new Set(keyIds)]),
    members.names([...new Set(requests.flatMap(({ member_id }) => member_id ?? []))]),
  ]);
  const rows = requests.map((row) => ({
    row,
    keyName: toKeyName(keyNames, row.key_id),
    memberName: memberNames.get(row.member_id ?? '') ?? null,
  }));
  const following = next && ({ kind: 'after', cursor: `${next.value}.${next.id}` } as const);
  return { rows, before: after === null ? null : firstPage, after: following };
}

const noRequests = { requests: [], next: null };

/** All but whose requests they are. */
function toFilter({ sort, filters }: Filters): Omit<RequestFilter, 'owner'> {
  const { model, session, request: requestId, day, status } = filters;
  const isByCost = sort === 'cost';
  return { model, session, requestId, day, statuses: toStatuses(status), isByCost };
}

function toStatuses(status = ''): RequestFilter['statuses'] {
  if (status === 'ok') return { from: 100, to: 399 };
  if (status === 'failed') return { from: 400, to: 999 };
  return /^[1-9]\d\d$/.test(status) ? { from: Number(status), to: Number(status) } : undefined;
}

/** null: the first request. */
function readPlace(start: ListStart): RequestPlace | null {
  if (start.kind !== 'after') return null;
  const [, value, id = ''] = /^(\d{1,15})\.([\w-]{0,100})$/.exec(start.cursor) ?? [];
  return value === undefined ? null : { value: Number(value), id };
}

const rejectionDays = 7;
const rejectionsMax = 20;

/** What the page of a member has besides. */
export type RequestChoices = Readonly<{
  /** The newest first; revoked ones, too. */
  keys: readonly KeyRecord[];
  /** Of the last 30 days. */
  models: readonly string[];
  /** Counted by minute: of the last 7 days or of the day of the query, the newest first. */
  rejections: readonly RejectionCount[];
}>;

export async function loadChoices(
  { database, memberId, now }: MemberSource & Pick<ListSource, 'now'>,
  { filters: { key, day, status } }: Filters,
): Promise<RequestChoices> {
  const { usage, rejections } = database;
  const keys = await database.keys.list(memberId);
  const keyIds = toKeyIds(keys, memberId, key);
  const days = day === undefined ? { fromDay: toFirstDay(rejectionDays, now) } : { day };
  const options = { ...days, statuses: toStatuses(status), limit: rejectionsMax };
  const [models, rejected] = await Promise.all([
    usage.modelsOf(memberId, toFirstDay(shownDays, now)),
    keyIds.length === 0 ? [] : rejections.listNewest(keyIds, options),
  ]);
  return { keys: keys.toReversed(), models, rejections: rejected };
}

/** The models of the last 30 days. */
export async function loadModelsOfSite({
  database: { usage },
  now,
}: ListSource): Promise<string[]> {
  const sums = await usage.sumOfSite(toFirstDay(shownDays, now), toFirstDay(1, now));
  return [...new Set(sums.map(({ model }) => model))].filter(Boolean).sort();
}
