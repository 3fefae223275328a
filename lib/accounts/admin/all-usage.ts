import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { RejectionSum } from '#lib/spend/store/rejection-store.ts';
import {
  addTotals,
  type FailedRequest,
  noUsage,
  type StatusCount,
  sumTotals,
  type UsageTotals,
} from '#lib/spend/store/usage-sums.ts';
import { countTokens } from '../account/account-view.ts';
import { readPlaygroundMemberId } from '../account/playground-key.ts';
import type { AccountStores } from '../store/stores.ts';

type Named = Readonly<{ id: string; name: string }>;

/** The usage of all keys, each list sorted by spend except for the days, which are newest first. */
export type AllUsage = Readonly<{
  keys: readonly (Named & UsageTotals)[];
  /** Without those that have used nothing. A deleted member has no name. */
  members: readonly (Named & UsageTotals)[];
  days: readonly (Readonly<{ day: string }> & UsageTotals)[];
  models: readonly (Readonly<{ model: string }> & UsageTotals)[];
  total: UsageTotals;
  /** Statuses of 400 and above, the most frequent first. */
  failures: readonly StatusCount[];
  /** The newest of them. `name` is the key’s, `member` its owner’s. */
  lastFailures: readonly (FailedRequest & Readonly<{ name: string; member: string | null }>)[];
  /** Requests that were not sent on, the most frequent first. */
  rejections: readonly (RejectionSum & Readonly<{ name: string }>)[];
}>;

const lastFailuresMax = 20;

export async function readAllUsage(
  database: Pick<AccountStores, 'keys' | 'members' | 'usage' | 'rejections'>,
  fromDay: string,
): Promise<AllUsage> {
  const { usage } = database;
  const [records, byKey, byDay, byModel, statuses, lastFailures, rejections] = await Promise.all([
    database.keys.list(),
    usage.sumBy('key_id', fromDay),
    usage.sumBy('day', fromDay),
    usage.sumBy('model', fromDay),
    usage.countByStatus(fromDay),
    usage.lastFailures(fromDay, lastFailuresMax),
    database.rejections.sum(fromDay),
  ]);
  const keyNames = new Map(records.map(({ id, name }) => [id, name]));
  const members = sumByMember(
    byKey.map(({ group, ...totals }) => ({ keyId: group, ...totals })),
    records,
  );
  const ownerOf = new Map(records.map(({ id, owner }) => [id, owner?.id]));
  const memberNames = await database.members.names([...members.keys()]);
  const toName = (keyId: string) => keyNames.get(keyId) ?? nameOfPlayground(keyId, memberNames);
  return {
    keys: byKey
      .toSorted(bySpend)
      .map(({ group, ...totals }) => ({ id: group, name: toName(group), ...totals })),
    members: [...members]
      .map(([id, totals]) => ({ id, name: memberNames.get(id) ?? '', ...totals }))
      .sort(bySpend),
    days: byDay
      .toSorted((one, other) => (one.group < other.group ? 1 : -1))
      .map(({ group, ...totals }) => ({ day: group, ...totals })),
    models: byModel.toSorted(bySpend).map(({ group, ...totals }) => ({ model: group, ...totals })),
    total: sumTotals(byDay),
    failures: statuses.filter(({ status }) => status >= 400),
    lastFailures: lastFailures.map((one) => ({
      ...one,
      name: toName(one.keyId),
      member: memberNames.get(ownerOf.get(one.keyId) ?? '') ?? null,
    })),
    rejections: rejections.map((one) => ({ ...one, name: toName(one.keyId) })),
  };
}

function nameOfPlayground(keyId: string, memberNames: ReadonlyMap<string, string>): string {
  const memberId = readPlaygroundMemberId(keyId);
  return memberId === null ? '' : `Playground of ${memberNames.get(memberId) ?? memberId}`;
}

type KeySum = UsageTotals & Readonly<{ keyId: string }>;

/** A member's keys and playground together. */
export function sumByMember(
  sums: readonly KeySum[],
  keys: readonly KeyRecord[],
): ReadonlyMap<string, UsageTotals> {
  const owners = new Map(keys.map(({ id, owner }) => [id, owner?.id ?? null]));
  const members = new Map<string, UsageTotals>();
  for (const sum of sums) {
    const id = owners.get(sum.keyId) ?? readPlaygroundMemberId(sum.keyId);
    if (id !== null) members.set(id, addTotals(members.get(id) ?? noUsage, sum));
  }
  return members;
}

/** The dearest first; of equal ones, that with more tokens. */
function bySpend(one: UsageTotals, other: UsageTotals): number {
  return (other.costUsd ?? 0) - (one.costUsd ?? 0) || countTokens(other) - countTokens(one);
}
