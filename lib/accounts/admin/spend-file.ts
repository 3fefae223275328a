import { addDays, isCalendarDate } from '#lib/events/model/dates.ts';
import { shownDays } from '#lib/spend/budgets.ts';
import { type DayRange, listDays } from '#lib/spend/periods.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import type { MemberDaySum } from '#lib/spend/store/usage-sums.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { type CsvColumns, respondWithCsv } from '../files/csv-file.ts';
import { rowsAtOnce } from '../files/file-response.ts';
import type { AccountStores } from '../store/stores.ts';

type Stores = Pick<AccountStores, 'members' | 'usage' | 'balances'>;
type Parameters = Readonly<Record<string, string | undefined>>;

/** Cached tokens are parts of `tokens_in`. */
const memberColumns: CsvColumns<MemberDaySum & Readonly<{ day: string; name: string | null }>> = {
  day: ({ day }) => day,
  member_id: ({ memberId }) => memberId,
  member: ({ name }) => name,
  requests: ({ requests }) => requests,
  tokens_in: ({ tokensIn }) => tokensIn,
  tokens_out: ({ tokensOut }) => tokensOut,
  tokens_cached: ({ cachedTokens }) => cachedTokens,
  cost_usd: ({ costUsd }) => costUsd,
};

const groupColumns: CsvColumns<Balance> = {
  day: ({ period }) => period,
  group: ({ account }) => account.slice('group:'.length),
  tokens: ({ tokens }) => tokens,
  cost_usd: ({ nanoUsd }) => nanoUsd / 1e9,
};

/** What members or groups have used, by day, from one to another: `by=group&from=2026-11-01&to=2026-11-30`. */
export function respondWithSpend(
  stores: Stores,
  parameters: Parameters,
  now: number,
): Promise<Response> {
  const days = readDays(parameters, now);
  return parameters.by === 'group'
    ? respondWithCsv('usage-by-group', groupColumns, readGroups(stores, days))
    : respondWithCsv('usage-by-member', memberColumns, readMembers(stores, days));
}

/** Longer than anybody stores usage. */
const daysMax = 3_660;

/** In either order, and with either left out. What cannot be read counts as left out. */
function readDays({ from, to }: Parameters, now: number): DayRange {
  const today = toUtcDay(now);
  const read = (text = '') => (isCalendarDate(text) ? text : null);
  const end = read(to) ?? today;
  const [first = end, last = end] = [read(from) ?? addDays(end, 1 - shownDays), end].sort();
  const [lastDay = today] = [last, today].sort();
  const [, firstDay = first] = [first, addDays(today, -daysMax)].sort();
  return { firstDay, lastDay };
}

async function* readMembers({ usage, members }: Stores, days: DayRange) {
  for (const day of listDays(days.firstDay, days.lastDay)) {
    const read = (after: string) => usage.membersOfDay(day, { after, limit: rowsAtOnce });
    for await (const sums of readAfter(read, ({ memberId }) => memberId)) {
      const names = await members.names(sums.map(({ memberId }) => memberId));
      yield sums.map((sum) => ({ ...sum, day, name: names.get(sum.memberId) ?? null }));
    }
  }
}

async function* readGroups({ balances }: Stores, days: DayRange) {
  for (const day of listDays(days.firstDay, days.lastDay)) {
    const read = (after: string) => balances.groupsOfDay(day, { after, limit: rowsAtOnce });
    yield* readAfter(read, ({ account }) => account);
  }
}

async function* readAfter<T>(
  read: (after: string) => Promise<readonly T[]>,
  toPlace: (row: T) => string,
): AsyncGenerator<readonly T[]> {
  for (let after = ''; ; ) {
    const rows = await read(after);
    yield rows;
    const last = rows[rowsAtOnce - 1];
    if (last === undefined) return;
    after = toPlace(last);
  }
}
