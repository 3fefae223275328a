import type { GroupStore } from '#lib/accounts/store/group-store.ts';
import { type KeyDefaults, toKeyBudget } from '#lib/keys/api-key.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { KeyStore } from '#lib/keys/store/key-store.ts';
import { type AccountLimit, sumUsed, toAccountLimits } from '#lib/spend/budgets.ts';
import { toPeriodDays, toPeriodEnd } from '#lib/spend/periods.ts';
import type { Balance, BalanceStore } from '#lib/spend/store/balance-store.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { Alert } from '../webhooks/webhook-message.ts';

/** A budget that has reached a level of those that the operator has chosen. */
export type BudgetAlert = Pick<Alert, 'type' | 'data'> &
  Readonly<{
    /** One for each level that is reached, the highest last: only that one is told. */
    causes: readonly string[];
    period: string;
  }>;

type Stores = Readonly<{
  groups: Pick<GroupStore, 'list'>;
  keys: Pick<KeyStore, 'listUsed'>;
  balances: Pick<BalanceStore, 'find'>;
}>;

type BudgetOptions = Pick<KeyDefaults, 'tokensPerDay' | 'totalBudget'> &
  Readonly<{
    /** In percent, ascending. */
    levels: readonly number[];
    now: number;
  }>;

/** A limit, and what is told of whose it is. */
type Watched = Readonly<{ limit: AccountLimit; whose: Readonly<Record<string, string>> }>;

/** Requests last an hour at most, and `used_at` is when they began. */
const usedWithinMs = 3_900_000;
/** Balances are read of so many accounts at once. */
const accountsMax = 250;

/** Budgets of the site, of groups, and of the keys that were used lately. */
export async function findBudgetAlerts(
  stores: Stores,
  options: BudgetOptions,
): Promise<readonly BudgetAlert[]> {
  const { now } = options;
  const groups = await stores.groups.list();
  const keys = await stores.keys.listUsed(now - usedWithinMs);
  const none = { key: null, member: null, group: null, all: null };
  const payer = { keyId: '', memberId: null, groupName: null };
  const watched: Watched[] = [
    ...watch({ of: 'site' }, toAccountLimits(payer, { ...none, all: options.totalBudget })),
    ...groups.flatMap(({ name, budget: group }) =>
      watch(
        { of: 'group', name },
        toAccountLimits({ ...payer, groupName: name }, { ...none, group }),
      ),
    ),
    ...keys.flatMap((key) =>
      watch(
        nameKey(key),
        toAccountLimits({ ...payer, keyId: key.id }, { ...none, key: toKeyBudget(key, options) }),
      ),
    ),
  ];
  const accounts = [...new Set(watched.map(({ limit }) => limit.account))];
  const alerts: BudgetAlert[] = [];
  for (let from = 0; from < accounts.length; from += accountsMax) {
    const some = accounts.slice(from, from + accountsMax);
    const balances = await stores.balances.find(some, toPeriodDays(toUtcDay(now)));
    const byAccount = Map.groupBy(balances, ({ account }) => account);
    const ofSome = new Set(some);
    for (const { limit, whose } of watched.filter(({ limit }) => ofSome.has(limit.account))) {
      alerts.push(...toAlerts({ limit, whose }, byAccount.get(limit.account) ?? [], options));
    }
  }
  return alerts;
}

function watch(whose: Watched['whose'], limits: readonly AccountLimit[]): Watched[] {
  return limits.map((limit) => ({ limit, whose }));
}

/** Members may give a key the name of a person. */
function nameKey({ id, name, owner }: KeyRecord): Watched['whose'] {
  return owner === null ? { of: 'key', id, name } : { of: 'key', id };
}

/** Of its dollars and of its tokens. */
function toAlerts(
  { limit, whose }: Watched,
  balances: readonly Balance[],
  { levels, now }: BudgetOptions,
): BudgetAlert[] {
  const { account, period } = limit;
  const used = sumUsed(balances, limit, toUtcDay(now));
  const resetsAt = toPeriodEnd(now, period);
  const units = [
    { unit: 'usd', most: limit.nanoUsd, spent: used.nanoUsd, scale: 1e9 },
    { unit: 'tokens', most: limit.tokens, spent: used.tokens, scale: 1 },
  ];
  return units.flatMap(({ unit, most, spent, scale }) => {
    if (most === null) return [];
    const reached = levels.filter((level) => spent * 100 >= most * level);
    const level = reached.at(-1);
    if (level === undefined) return [];
    // A budget that is changed is another one: its levels are reached anew.
    const toCause = (percent: number) => `budget ${account} ${period} ${unit} ${most} ${percent}`;
    const amounts = { level, used: spent / scale, limit: most / scale };
    const ends = { resetsAt: new Date(resetsAt).toISOString() };
    return {
      causes: reached.map(toCause),
      period: String(resetsAt),
      type: 'alert.budget',
      data: { ...whose, period, unit, ...amounts, ...ends },
    };
  });
}
