import type { PeriodName } from '#lib/config/budget.ts';
import { type KeyDefaults, toKeyBudget } from '#lib/keys/api-key.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import { type AccountLimit, sumUsed, toAccountLimits } from '#lib/spend/budgets.ts';
import { periods, toPeriodEnd } from '#lib/spend/periods.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { Member } from '../store/member-record.ts';

/** One bound as the page shows it. */
export type BudgetView = Readonly<{
  /** Whose it is. */
  title: string;
  period: PeriodName;
  /** The period as people say it, such as “this week”; and what is of it. */
  when: string;
  ofWhen: string;
  unit: 'tokens' | 'usd';
  /** Null for a group and the site: their numbers tell about others. */
  numbers: Readonly<{ left: number; limit: number }> | null;
  /** `low`: more than 80% is used. */
  state: 'ok' | 'low' | 'used-up';
  resetsAt: number;
}>;

export type BudgetDefaults = Pick<KeyDefaults, 'tokensPerDay' | 'memberBudget' | 'totalBudget'>;

type Holder = Readonly<{ member: Member; keys: readonly KeyRecord[] }>;

/** All budgets that apply to a member’s requests: of the account, its group, the site, and keys with an own one. */
export function toBudgetViews(
  { member, keys }: Holder,
  balances: readonly Balance[],
  options: BudgetDefaults & Readonly<{ now: number }>,
): BudgetView[] {
  const { memberBudget, totalBudget, now } = options;
  const payer = { keyId: '', memberId: member.id, groupName: member.group?.name ?? null };
  const shared = toAccountLimits(payer, {
    key: null,
    member: member.budget ?? memberBudget,
    group: member.group?.budget ?? null,
    all: totalBudget,
  });
  const ofKeys = keys.flatMap((key) => {
    const limits = toAccountLimits(
      { ...payer, keyId: key.id },
      { key: toKeyBudget(key, options), member: null, group: null, all: null },
    );
    return limits.map((limit) => ({ limit, title: `Key “${key.name}”` }));
  });
  return [...shared.map((limit) => ({ limit, title: titles[limit.owner] })), ...ofKeys].flatMap(
    ({ limit, title }) => toLimitViews(limit, title, balances, now),
  );
}

const titles = { key: '', member: 'Your account', group: 'Your group', all: 'This site' } as const;

/** The accounts whose balances are shown. */
export function toShownAccounts({ member, keys }: Holder): string[] {
  return [
    `member:${member.id}`,
    'all',
    ...(member.group === null ? [] : [`group:${member.group.name}`]),
    ...keys.map(({ id }) => `key:${id}`),
  ];
}

/** Its dollars and its tokens. @param balances those of other accounts do not matter. */
export function toLimitViews(
  limit: AccountLimit,
  title: string,
  balances: readonly Balance[],
  now: number,
): BudgetView[] {
  const { owner, period, tokens, nanoUsd } = limit;
  const { when, ofWhen } = periods[period];
  const used = sumUsed(balances, limit, toUtcDay(now));
  const isOwn = owner === 'key' || owner === 'member';
  const toView = (unit: BudgetView['unit'], most: number, spent: number): BudgetView => ({
    title,
    period,
    when,
    ofWhen,
    unit,
    numbers: isOwn ? { left: Math.max(0, most - spent), limit: most } : null,
    state: spent >= most ? 'used-up' : spent >= most * 0.8 ? 'low' : 'ok',
    resetsAt: toPeriodEnd(now, period),
  });
  return [
    ...(nanoUsd === null ? [] : [toView('usd', nanoUsd / 1e9, used.nanoUsd / 1e9)]),
    ...(tokens === null ? [] : [toView('tokens', tokens, used.tokens)]),
  ];
}
