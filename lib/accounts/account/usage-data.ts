import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { DayRange } from '#lib/spend/periods.ts';
import type { KeyUsageSum } from '#lib/spend/store/usage-sums.ts';
import { toPages } from '../files/file-response.ts';
import type { AccountStores } from '../store/stores.ts';
import { toPlaygroundKeyId } from './playground-key.ts';
import type { UsageSpan } from './usage-span.ts';

/** What a member has used in a time: sums, no single request. */
export type UsageData = UsedKeys &
  Readonly<{
    usage: readonly KeyUsageSum[];
    span: UsageSpan;
  }>;

/** The same as files have it: a year may have hundreds of thousands of sums. */
export type UsageFile = Omit<UsageData, 'usage'> &
  Readonly<{ usage: AsyncIterable<readonly KeyUsageSum[]> }>;

type UsedKeys = Readonly<{
  /** Newest first; those that have worked in that time. */
  keys: readonly KeyRecord[];
}>;

type Stores = Pick<AccountStores, 'keys' | 'usage'>;

export async function loadUsage(
  stores: Stores,
  memberId: string,
  span: UsageSpan,
): Promise<UsageData> {
  const keys = await findKeys(stores, memberId, span);
  const [firstDay = '', lastDay = firstDay] = [span.periods[0], span.periods.at(-1)];
  const usage =
    span.unit === 'hour'
      ? stores.usage.sumOfHours(memberId, Date.parse(firstDay))
      : sumOfKeys(stores, { memberId, keys }, { firstDay, lastDay });
  return { keys, usage: await usage, span };
}

/** The sums of days are read a day at a time. */
export async function readUsage(
  stores: Stores,
  memberId: string,
  span: UsageSpan,
): Promise<UsageFile> {
  if (span.unit === 'hour') {
    const data = await loadUsage(stores, memberId, span);
    return { ...data, usage: toPages(data.usage) };
  }
  const keys = await findKeys(stores, memberId, span);
  async function* readDays() {
    for (const day of span.periods) {
      yield await sumOfKeys(stores, { memberId, keys }, { firstDay: day, lastDay: day });
    }
  }
  return { keys, usage: readDays(), span };
}

async function findKeys(
  { keys }: Stores,
  memberId: string,
  { periods: [first = ''] }: UsageSpan,
): Promise<KeyRecord[]> {
  const all = await keys.list(memberId);
  return all
    .filter(({ revokedAt }) => revokedAt === null || revokedAt >= Date.parse(first))
    .reverse();
}

function sumOfKeys(
  { usage }: Stores,
  { memberId, keys }: UsedKeys & Readonly<{ memberId: string }>,
  days: DayRange,
): Promise<KeyUsageSum[]> {
  return usage.sumOfKeys([...keys.map(({ id }) => id), toPlaygroundKeyId(memberId)], days);
}
