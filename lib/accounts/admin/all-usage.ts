import type { RejectionSum } from '#lib/spend/store/rejection-store.ts';
import type { FailedRequest, SumOwner } from '#lib/spend/store/usage-sums.ts';
import { addTotals, noUsage, sumTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { readPlaygroundMemberId } from '../account/playground-key.ts';
import { bySpend } from '../account/usage-view.ts';
import type { AccountStores } from '../store/stores.ts';

type Named = Readonly<{ id: string; name: string }>;

/** The usage of the whole site, each list sorted by spend except for the days, which are newest first. */
export type AllUsage = Readonly<{
  /** Those with the most tokens. */
  keys: readonly (Named & UsageTotals)[];
  /** Those with the most tokens. A deleted member has no name. */
  members: readonly (Named & UsageTotals)[];
  days: readonly (Readonly<{ day: string }> & UsageTotals)[];
  models: readonly (Readonly<{ model: string }> & UsageTotals)[];
  total: UsageTotals;
  /** Statuses of 400 and above, the most frequent first. */
  failures: readonly StatusCount[];
  /** The newest of them. `name` is the key’s, `member` its owner’s. */
  lastFailures: readonly (FailedRequest & Readonly<{ name: string; member: string | null }>)[];
  /** Requests that were not sent on, the most frequent first. */
  rejections: readonly RejectionSum[];
}>;

/** How many requests had a response with an HTTP status. */
type StatusCount = Readonly<{ status: number; requests: number }>;

type Stores = Pick<AccountStores, 'keys' | 'members' | 'usage' | 'rejections'>;
type Days = Readonly<{ fromDay: string; today: string }>;

const lastFailuresMax = 20;

export async function readAllUsage(database: Stores, days: Days): Promise<AllUsage> {
  const { usage } = database;
  const { fromDay, today } = days;
  const [site, keys, members, lastFailures, rejections] = await Promise.all([
    usage.sumOfSite(fromDay, today),
    readLargest(database, 'key', days),
    readLargest(database, 'member', days),
    usage.lastFailures(fromDay, lastFailuresMax),
    database.rejections.sumOfSite(fromDay, today),
  ]);
  const keyIds = [...keys.keys(), ...lastFailures.map(({ keyId }) => keyId)];
  const memberIds = [
    ...members.keys(),
    ...lastFailures.flatMap(({ memberId }) => memberId ?? []),
    ...keyIds.flatMap((id) => readPlaygroundMemberId(id) ?? []),
  ];
  const [keyNames, memberNames] = await Promise.all([
    database.keys.names(keyIds),
    database.members.names(memberIds),
  ]);
  const toName = (keyId: string) => keyNames.get(keyId) ?? nameOfPlayground(keyId, memberNames);
  const failures = site.filter(({ status }) => status >= 400);
  return {
    keys: toList(keys, toName),
    members: toList(members, (id) => memberNames.get(id) ?? ''),
    days: [...sumBy(site, ({ day }) => day)]
      .map(([day, totals]) => ({ day, ...totals }))
      .sort((a, b) => (a.day < b.day ? 1 : -1)),
    models: [...sumBy(site, ({ model }) => model)]
      .map(([model, totals]) => ({ model, ...totals }))
      .sort(bySpend),
    total: sumTotals(site),
    failures: [...sumBy(failures, ({ status }) => status)]
      .map(([status, { requests }]) => ({ status, requests }))
      .sort((a, b) => b.requests - a.requests),
    lastFailures: lastFailures.map((failure) => ({
      ...failure,
      name: toName(failure.keyId),
      member: memberNames.get(failure.memberId ?? '') ?? null,
    })),
    rejections: sumRejections(rejections),
  };
}

function sumRejections(rejections: readonly RejectionSum[]): RejectionSum[] {
  const sums = new Map<string, RejectionSum>();
  for (const { status, code, count } of rejections) {
    const name = `${status} ${code}`;
    sums.set(name, { status, code, count: (sums.get(name)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

async function readLargest(
  { usage }: Stores,
  owner: SumOwner,
  { fromDay, today }: Days,
): Promise<ReadonlyMap<string, UsageTotals>> {
  return usage.totalsOf(owner, await usage.findLargest(owner, fromDay, today), fromDay);
}

function toList(sums: ReadonlyMap<string, UsageTotals>, toName: (id: string) => string) {
  return [...sums].map(([id, totals]) => ({ id, name: toName(id), ...totals })).sort(bySpend);
}

function sumBy<T extends UsageTotals, K>(sums: readonly T[], toKey: (sum: T) => K) {
  const groups = new Map<K, UsageTotals>();
  for (const sum of sums) groups.set(toKey(sum), addTotals(groups.get(toKey(sum)) ?? noUsage, sum));
  return groups;
}

function nameOfPlayground(keyId: string, memberNames: ReadonlyMap<string, string>): string {
  const memberId = readPlaygroundMemberId(keyId);
  return memberId === null ? '' : `Playground of ${memberNames.get(memberId) ?? memberId}`;
}
