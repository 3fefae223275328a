import type { Budget } from '#lib/config/budget.ts';

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
  period: 'day' | 'month';
  /** null: no bound. */
  tokens: number | null;
  nanoUsd: number | null;
}>;

/** The accounts that a request is charged to. */
export function toAccounts({ keyId, memberId, groupName }: Payer): string[] {
  const accounts = [`key:${keyId}`];
  if (memberId !== null) accounts.push(`member:${memberId}`);
  if (groupName !== null) accounts.push(`group:${groupName}`);
  accounts.push('all');
  return accounts;
}

export type PayerBudgets = Readonly<{
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
  const { tokensPerDay, tokensPerMonth, nanoUsdPerDay, nanoUsdPerMonth } = budget;
  const limits: AccountLimit[] = [
    { account, owner, period: 'month', tokens: tokensPerMonth, nanoUsd: nanoUsdPerMonth },
    { account, owner, period: 'day', tokens: tokensPerDay, nanoUsd: nanoUsdPerDay },
  ];
  return limits.filter(({ tokens, nanoUsd }) => tokens !== null || nanoUsd !== null);
}
