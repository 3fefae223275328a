import type { Budget } from '#lib/config/budget.ts';
import { type AccountLimit, sumUsed, toAccountLimits } from '#lib/spend/budgets.ts';
import { listDays, periods, toPeriodEnd } from '#lib/spend/periods.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { Member } from '../store/member-record.ts';

/** What is used of a budget, or in this month without one, and where that leads. */
export type SpendOutlook = Readonly<{
  /** The period as people say it, such as “this month”. */
  when: string;
  unit: 'tokens' | 'usd';
  used: number;
  /** null: no budget. */
  limit: number | null;
  /** At the end of the period if it goes on like this; null: too early to say. */
  expected: number | null;
  /** When that uses up the budget, Unix ms; null: not before the end. */
  usedUpAt: number | null;
  resetsAt: number;
}>;

type Spender = Readonly<{
  member: Member;
  /** Of members without one of their own. */
  memberBudget: Budget;
}>;

type OutlookInput = Spender &
  Readonly<{
    /** Of the member, by day. */
    balances: readonly Balance[];
    now: number;
  }>;

/** Before that a rate says nothing: of a month, a day and a half. */
const shareMin = 0.05;

/** By the budget of the longest period, in dollars if there is one, or if anything has cost some. */
export function toSpendOutlook({ balances, now, ...spender }: OutlookInput): SpendOutlook {
  const account = `member:${spender.member.id}`;
  const today = toUtcDay(now);
  const dollars = findLimit(spender, 'usd');
  const month = sumUsed(balances, { account, period: 'month' }, today);
  const isInDollars = dollars !== undefined || month.nanoUsd > 0 || month.tokens === 0;
  // Unknown costs would look as if they were none.
  const unit = isInDollars ? 'usd' : 'tokens';
  const limit = isInDollars ? dollars : findLimit(spender, 'tokens');
  const period = limit?.period ?? 'month';
  const { toFirstDay, when } = periods[period];
  const sum = sumUsed(balances, { account, period }, today);
  const used = isInDollars ? sum.nanoUsd / 1e9 : sum.tokens;
  const most = limit === undefined ? null : toMost(unit, limit);
  const resetsAt = toPeriodEnd(now, period);
  const startedAt = Date.parse(toFirstDay(today));
  const share = (now - startedAt) / (resetsAt - startedAt);
  const expected = share < shareMin || used === 0 ? null : used / share;
  const usedUpAt = toUsedUpAt({ used, limit: most, expected, startedAt, resetsAt });
  return { when, unit, used, limit: most, expected, usedUpAt, resetsAt };
}

type Unit = SpendOutlook['unit'];

/** The limits are in the order of their periods, the longest first. */
function findLimit({ member, memberBudget }: Spender, unit: Unit): AccountLimit | undefined {
  const payer = { keyId: '', memberId: member.id, groupName: null };
  const own = { key: null, member: member.budget ?? memberBudget, group: null, all: null };
  return toAccountLimits(payer, own).find((limit) => toMost(unit, limit) !== null);
}

function toMost(unit: Unit, { tokens, nanoUsd }: AccountLimit): number | null {
  if (unit === 'tokens') return tokens;
  return nanoUsd === null ? null : nanoUsd / 1e9;
}

type Rate = Pick<SpendOutlook, 'used' | 'limit' | 'expected' | 'resetsAt'> &
  Readonly<{ startedAt: number }>;

function toUsedUpAt({ used, limit, expected, startedAt, resetsAt }: Rate): number | null {
  if (limit === null || expected === null || used >= limit || expected <= limit) return null;
  return startedAt + (limit / expected) * (resetsAt - startedAt);
}

/** A budget as the line of a chart: an even share of it for each of its days, or of their hours. */
export type BudgetLine = Readonly<{ unit: Unit; share: number; limit: number; per: string }>;

/** The budget of the longest period of each unit. */
export function toBudgetLines(spender: Spender, per: 'day' | 'hour', now: number): BudgetLine[] {
  const today = toUtcDay(now);
  return (['usd', 'tokens'] as const).flatMap((unit) => {
    const found = findLimit(spender, unit);
    const limit = found && toMost(unit, found);
    if (found === undefined || limit === undefined || limit === null) return [];
    const { toFirstDay, toLastDay } = periods[found.period];
    const days = listDays(toFirstDay(today), toLastDay(today)).length;
    return [
      { unit, limit, per: `a ${found.period}`, share: limit / (per === 'day' ? days : 24 * days) },
    ];
  });
}
