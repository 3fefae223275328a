import { formatBudget } from '#lib/budgets/budget.ts';
import type { KeyRecord } from '#lib/storage/stores/key-record.ts';
import type { KeyUsageSum } from '#lib/storage/stores/usage-sums.ts';
import type { AccountData } from './account.ts';
import { isPlaygroundKeyId } from './playground-key.ts';

/** One key as the page shows it. */
export type KeyView = Readonly<{
  id: string;
  name: string;
  hint: string;
  models: readonly string[] | null;
  createdAt: number;
  expiresAt: number | null;
  isExpired: boolean;
  lastUsedAt: number | null;
  usedFrom: string | null;
  tokensToday: number;
  /** As it is written; null: none of its own. */
  budget: string | null;
  tokensInDays: number;
}>;

/** Tokens of one group: a model or a key. */
export type UsageShare = Readonly<{
  /** Of a member, whose name may not be the only one. */
  id?: string;
  /** Where there is more of it. */
  href?: string;
  name: string;
  requests: number;
  tokens: number;
  costUsd: number | null;
}>;

export type UsageDay = Readonly<{
  day: string;
  requests: number;
  tokensIn: number;
  tokensOut: number;
  costUsd: number | null;
}>;

export type UsageView = Readonly<{
  /** Every day of the period, oldest first, those without usage too. */
  days: readonly UsageDay[];
  today: UsageDay;
  total: Omit<UsageDay, 'day'>;
  models: readonly UsageShare[];
  keys: readonly UsageShare[];
}>;

const dayMs = 86_400_000;

export function toKeyViews({ keys, usage, lastUsed, today }: AccountData, now: number): KeyView[] {
  const sumOf = (rows: readonly KeyUsageSum[]) =>
    rows.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0);
  return keys.map((key) => {
    const own = usage.filter(({ keyId }) => keyId === key.id);
    return {
      ...pickShown(key),
      isExpired: key.expiresAt !== null && key.expiresAt <= now,
      lastUsedAt: lastUsed.get(key.id) ?? null,
      tokensToday: sumOf(own.filter(({ day }) => day === today)),
      budget: key.budget === null ? null : formatBudget(key.budget),
      tokensInDays: sumOf(own),
    };
  });
}

export function toUsageView({ keys, usage, today, fromDay }: AccountData): UsageView {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const days = listDays(fromDay, today).map((day) => toDay(day, usage));
  const { day: _, ...total } = toDay('', usage, () => true);
  return {
    days,
    today: toDay(today, usage),
    total,
    models: toShares(usage, ({ model }) => model || 'No model'),
    keys: toShares(usage, ({ keyId }) => names.get(keyId) ?? toOtherName(keyId)),
  };
}

function pickShown({ id, name, hint, models, createdAt, expiresAt, usedFrom }: KeyRecord) {
  return { id, name, hint, models, createdAt, expiresAt, usedFrom };
}

function toOtherName(keyId: string): string {
  return isPlaygroundKeyId(keyId) ? 'Playground' : 'Revoked keys';
}

function toDay(
  day: string,
  usage: readonly KeyUsageSum[],
  belongs: (sum: KeyUsageSum) => boolean = (sum) => sum.day === day,
): UsageDay {
  return usage.filter(belongs).reduce<UsageDay>(
    (sum, one) => ({
      day,
      requests: sum.requests + one.requests,
      tokensIn: sum.tokensIn + one.tokensIn,
      tokensOut: sum.tokensOut + one.tokensOut,
      costUsd: addCosts(sum.costUsd, one.costUsd),
    }),
    { day, requests: 0, tokensIn: 0, tokensOut: 0, costUsd: null },
  );
}

function toShares(
  usage: readonly KeyUsageSum[],
  toName: (sum: KeyUsageSum) => string,
): UsageShare[] {
  const shares = new Map<string, UsageShare>();
  for (const sum of usage) {
    const name = toName(sum);
    const { requests, tokens, costUsd } = shares.get(name) ?? {
      ...{ requests: 0, tokens: 0, costUsd: null },
    };
    shares.set(name, {
      name,
      requests: requests + sum.requests,
      tokens: tokens + sum.tokensIn + sum.tokensOut,
      costUsd: addCosts(costUsd, sum.costUsd),
    });
  }
  return [...shares.values()].sort((a, b) => b.tokens - a.tokens);
}

/** Unknown stays unknown, until something is known. */
function addCosts(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** Every day from one to another, `YYYY-MM-DD`. */
export function listDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
