import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import {
  type ListRequests,
  type RequestFilter,
  type RequestPage,
  type RequestPlace,
  readRequests,
} from '#lib/spend/store/request-reader.ts';
import { isPlaygroundKeyId } from '../account/playground-key.ts';
import { type NamedRequest, requestColumns } from '../account/request-files.ts';
import { type RequestQuery, readRequestQuery, toRequestFilter } from '../account/request-query.ts';
import { toKeyName } from '../account/usage-files.ts';
import { type CsvColumns, respondWithCsv } from '../files/csv-file.ts';
import type { AccountStores } from '../store/stores.ts';
import { pageRows } from './paging.ts';

/** Which requests of the site a page shows. */
export type SiteRequestQuery = RequestQuery &
  Readonly<{
    /** The id or address of a member; empty: of everybody. */
    person: string;
  }>;

type Names = ReadonlyMap<string, string>;

export type SiteRequests = RequestPage &
  Readonly<{
    /** By their ids. */
    keyNames: Names;
    memberNames: Names;
    /** Of the last 30 days. */
    models: readonly string[];
  }>;

type Stores = Pick<AccountStores, 'keys' | 'members' | 'usage'>;

export function readSiteRequestQuery(
  parameters: Readonly<Record<string, string | undefined>>,
  now: number,
): SiteRequestQuery {
  return { ...readRequestQuery(parameters, now), person: (parameters.person ?? '').trim() };
}

export async function loadSiteRequests(
  database: Stores,
  query: SiteRequestQuery,
  { after, now }: Readonly<{ after: RequestPlace | null; now: number }>,
): Promise<SiteRequests> {
  const { usage } = database;
  const filter = await findFilter(database, query);
  const [page, sums] = await Promise.all([
    filter === null ? noRequests : usage.listRequests(filter, { after, limit: pageRows }),
    usage.sumOfSite(toFirstDay(shownDays, now), toFirstDay(1, now)),
  ]);
  const models = [...new Set(sums.map(({ model }) => model))].filter(Boolean).sort();
  const names = await readNames(database, page.requests, query.key);
  return { ...page, ...names, models };
}

const noRequests: RequestPage = { requests: [], next: null };

/** All requests that a query lets through, as a file. */
export async function respondWithSiteRequests(
  database: Stores,
  query: SiteRequestQuery,
): Promise<Response> {
  const filter = await findFilter(database, query);
  async function* readNamed() {
    if (filter === null) return;
    for await (const requests of readRequests(database.usage.listRequests, filter)) {
      const { keyNames, memberNames } = await readNames(database, requests);
      yield requests.map((row) => ({
        row,
        keyName: toKeyName(keyNames, row.key_id),
        memberName: memberNames.get(row.member_id ?? '') ?? null,
      }));
    }
  }
  return respondWithCsv('requests', siteRequestColumns, readNamed());
}

const siteRequestColumns: CsvColumns<NamedRequest & Readonly<{ memberName: string | null }>> = {
  ...requestColumns,
  member_id: ({ row }) => row.member_id,
  member: ({ memberName }) => memberName,
  key_id: ({ row }) => row.key_id,
  upstream: ({ row }) => row.upstream,
};

/** null: there is no such member. */
async function findFilter(
  { members }: Stores,
  { person, ...query }: SiteRequestQuery,
): Promise<RequestFilter | null> {
  const filter = toRequestFilter(query);
  if (query.key !== '') return { ...filter, owner: { keyIds: [query.key] } };
  if (person === '') return { ...filter, owner: 'site' };
  const [found] = person.includes('@') ? await members.findByAddress(person) : [{ id: person }];
  return found === undefined ? null : { ...filter, owner: { memberId: found.id } };
}

type Requests = Awaited<ReturnType<ListRequests>>['requests'];

async function readNames(
  { keys, members }: Stores,
  requests: Requests,
  key = '',
): Promise<Pick<SiteRequests, 'keyNames' | 'memberNames'>> {
  const keyIds = new Set(
    [key, ...requests.map(({ key_id }) => key_id)].filter((id) => !isPlaygroundKeyId(id)),
  );
  const memberIds = new Set(requests.flatMap(({ member_id }) => member_id ?? []));
  const [keyNames, memberNames] = await Promise.all([
    keys.names([...keyIds]),
    members.names([...memberIds]),
  ]);
  return { keyNames, memberNames };
}
