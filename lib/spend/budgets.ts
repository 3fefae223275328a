import { z } from 'zod';
import { type Budget, budgetPeriods, type PeriodName, toEqualBounds } from '#lib/config/budget.ts';
import { dayMs, toUtcDay } from '#lib/storage/days.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { type DayRange, periods } from './periods.ts';

/** Whose budget it is; `all`: of the whole site. */
export type BudgetOwner = 'key' | 'member' | 'group' | 'all';

/** Who pays for a request. */
export type Payer = Readonly<{
  keyId: string;
  /** null: the key is the operator's. */
  memberId: string | null;
  groupName: string | null;
}>;

/** The most that one account may use in one period. */
export type AccountLimit = Readonly<{
  /** `key:ID`, `member:ID`, `group:NAME` or `all`. */
  account: string;
  owner: BudgetOwner;
  period: PeriodName;
  /** null: no bound. */
  tokens: number | null;
  nanoUsd: number | null;
}>;

/** Whether clients may see its numbers: those of a group or of the site reveal the usage of others. */
export function isOwn({ owner }: Pick<AccountLimit, 'owner'>): boolean {
  return owner === 'key' || owner === 'member';
}

/** What an account has used, and what its running requests have reserved. */
export type AccountUse = Readonly<{
  tokens: number;
  nanoUsd: number;
  reservedTokens: number;
  reservedNanoUsd: number;
}>;

/** A limit, and what its account has used and reserved of it. */
export type LimitUse = AccountUse & Readonly<{ limit: AccountLimit }>;

/** The accounts that a request is charged to. */
export function toAccounts({ keyId, memberId, groupName }: Payer): string[] {
  const accounts = [`key:${keyId}`];
  if (memberId !== null) accounts.push(`member:${memberId}`);
  if (groupName !== null) accounts.push(`group:${groupName}`);
  accounts.push('all');
  return accounts;
}

type PayerBudgets = Readonly<{
  key: Budget | null;
  member: Budget | null;
  group: Budget | null;
  all: Budget | null;
}>;

/** The bounds of all its accounts, those that last longest first. */
export function toAccountLimits(
  { keyId, memberId, groupName }: Payer,
  budgets: PayerBudgets,
): AccountLimit[] {
  return [
    ...toLimits(`key:${keyId}`, 'key', budgets.key),
    ...(memberId === null ? [] : toLimits(`member:${memberId}`, 'member', budgets.member)),
    ...(groupName === null ? [] : toLimits(`group:${groupName}`, 'group', budgets.group)),
    ...toLimits('all', 'all', budgets.all),
  ];
}

function toLimits(account: string, owner: BudgetOwner, budget: Budget | null): AccountLimit[] {
  if (budget === null) return [];
  return longestFirst
    .map(({ period, tokens, nanoUsd }) => ({
      account,
      owner,
      period,
      tokens: budget[tokens],
      nanoUsd: budget[nanoUsd],
    }))
    .filter(({ tokens, nanoUsd }) => tokens !== null || nanoUsd !== null);
}

const longestFirst = budgetPeriods.toReversed();

/** The group of a member. */
export type MemberGroup = Readonly<{ name: string; budget: Budget | null }>;

export const storedBudget = z.object(toEqualBounds(z.int().min(0).nullable().default(null)));

/** A budget that cannot be read allows nothing. */
export function toBudget(text: string | null): Budget | null {
  return text === null ? null : readStored(storedBudget, text, toEqualBounds(0));
}

export function toBudgetText(budget: Budget | null): string | null {
  return budget === null ? null : JSON.stringify(budget);
}

export function toGroup(name: string | null, budget: string | null): MemberGroup | null {
  return name === null ? null : { name, budget: toBudget(budget) };
}

/** The first (UTC) of several days of which the last is that of a time. */
export function toFirstDay(days: number, timeMs: number): string {
  return toUtcDay(timeMs - (days - 1) * dayMs);
}

/** How many days of usage the pages show. */
export const shownDays = 30;

/** What an account has used on a day (UTC). */
type DayBalance = Readonly<{ account: string; period: string; tokens: number; nanoUsd: number }>;

/** What an account has used in the period of a day, by its balances of days. */
export function sumUsed(
  balances: readonly DayBalance[],
  limit: Pick<AccountLimit, 'account' | 'period'>,
  day: string,
): Readonly<{ tokens: number; nanoUsd: number }> {
  const { account, firstDay, lastDay } = toSpan(limit, day);
  const sum = { tokens: 0, nanoUsd: 0 };
  for (const balance of balances) {
    if (balance.account !== account) continue;
    if (balance.period < firstDay || balance.period > lastDay) continue;
    sum.tokens += balance.tokens;
    sum.nanoUsd += balance.nanoUsd;
  }
  return sum;
}

/** Several days of an account. */
export type Span = DayRange & Readonly<{ account: string }>;

/** The days of a limit's period that contains a day. */
export function toSpan(
  { account, period }: Pick<AccountLimit, 'account' | 'period'>,
  day: string,
): Span {
  const { toFirstDay, toLastDay } = periods[period];
  return { account, firstDay: toFirstDay(day), lastDay: toLastDay(day) };
}
