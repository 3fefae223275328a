import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import type { RejectionCount } from '#lib/spend/store/rejection-store.ts';
import {
  type RequestFilter,
  type RequestPage,
  type RequestPlace,
  readRequests,
} from '#lib/spend/store/request-reader.ts';
import { respondWithCsv } from '../files/csv-file.ts';
import type { AccountStores } from '../store/stores.ts';
import { toPlaygroundKeyId } from './playground-key.ts';
import { requestColumns } from './request-files.ts';
import { type RequestQuery, toRequestFilter } from './request-query.ts';
import { toKeyName, toKeyNames } from './usage-files.ts';

/** A request as its record has it. */
export type ListedRequest = RequestPage['requests'][number];

/** A page of the requests of a member, and what they can be filtered by. */
export type RequestList = RequestPage &
  Readonly<{
    /** The newest first; revoked ones, too. */
    keys: readonly KeyRecord[];
    /** Of the last 30 days. */
    models: readonly string[];
    /** Counted by minute: of the last 7 days or of the day of the query, the newest first. */
    rejections: readonly RejectionCount[];
  }>;

type Stores = Pick<AccountStores, 'keys' | 'usage' | 'rejections'>;
type ListOptions = Readonly<{ query: RequestQuery; after: RequestPlace | null; now: number }>;

const pageSize = 50;
const rejectionDays = 7;
const rejectionsMax = 20;

export async function loadRequestList(
  database: Stores,
  memberId: string,
  { query, after, now }: ListOptions,
): Promise<RequestList> {
  const { usage, rejections } = database;
  const keys = (await database.keys.list(memberId)).reverse();
  const keyIds = toKeyIds(keys, memberId);
  const filter = toFilter(query, memberId, keyIds);
  const shownKeys = selectKeys(query, keyIds);
  const { statuses } = toRequestFilter(query);
  const days = query.day === '' ? { fromDay: toFirstDay(rejectionDays, now) } : { day: query.day };
  const [page, models, rejected] = await Promise.all([
    filter === null ? noRequests : usage.listRequests(filter, { after, limit: pageSize }),
    usage.modelsOf(memberId, toFirstDay(shownDays, now)),
    shownKeys.length === 0
      ? []
      : rejections.listNewest(shownKeys, { ...days, statuses, limit: rejectionsMax }),
  ]);
  return { ...page, keys, models, rejections: rejected };
}

const noRequests: RequestPage = { requests: [], next: null };

/** null: a key of somebody else is no key. */
function toFilter(
  query: RequestQuery,
  memberId: string,
  keyIds: readonly string[],
): RequestFilter | null {
  const filter = toRequestFilter(query);
  if (query.key + query.request === '') return { ...filter, owner: { memberId } };
  const selected = selectKeys(query, keyIds);
  return selected.length === 0 ? null : { ...filter, owner: { keyIds: selected } };
}

function selectKeys({ key }: RequestQuery, keyIds: readonly string[]): readonly string[] {
  return key === '' ? keyIds : keyIds.filter((id) => id === key);
}

/** All requests of a member that a query lets through, as a file. */
export async function respondWithRequestsOf(
  { keys: keyStore, usage }: Pick<Stores, 'keys' | 'usage'>,
  memberId: string,
  query: RequestQuery,
): Promise<Response> {
  const keys = await keyStore.list(memberId);
  const filter = toFilter(query, memberId, toKeyIds(keys, memberId));
  const names = toKeyNames({ keys });
  async function* readNamed() {
    if (filter === null) return;
    for await (const requests of readRequests(usage.listRequests, filter)) {
      yield requests.map((row) => ({ row, keyName: toKeyName(names, row.key_id) }));
    }
  }
  return respondWithCsv('requests', requestColumns, readNamed());
}

function toKeyIds(keys: readonly KeyRecord[], memberId: string): string[] {
  return [...keys.map(({ id }) => id), toPlaygroundKeyId(memberId)];
}
