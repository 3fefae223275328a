import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { KeyUsageSum } from '#lib/spend/store/usage-sums.ts';
import type { AccountStores } from '../store/stores.ts';
import { toPlaygroundKeyId } from './playground-key.ts';
import type { UsageSpan } from './usage-span.ts';

/** What a member has used in a time: sums, no single request. */
export type UsageData = Readonly<{
  /** Newest first; those that have worked in that time. */
  keys: readonly KeyRecord[];
  usage: readonly KeyUsageSum[];
  span: UsageSpan;
}>;

export async function loadUsage(
  { keys: keyStore, usage }: Pick<AccountStores, 'keys' | 'usage'>,
  memberId: string,
  span: UsageSpan,
): Promise<UsageData> {
  const [first = '', last = first] = [span.periods[0], span.periods.at(-1)];
  const startedAt = Date.parse(first);
  const all = await keyStore.list(memberId);
  const keys = all.filter(({ revokedAt }) => revokedAt === null || revokedAt >= startedAt);
  const ids = [...keys.map(({ id }) => id), toPlaygroundKeyId(memberId)];
  const sums =
    span.unit === 'hour'
      ? usage.sumOfHours(memberId, startedAt)
      : usage.sumOfKeys(ids, { firstDay: first, lastDay: last });
  return { keys: keys.reverse(), usage: await sums, span };
}
