import { formatBudget } from '#lib/config/budget.ts';
import { createResponse } from '#lib/http/response.ts';
import type { Member } from '../store/member-store.ts';
import type { Account, AccountData } from './account.ts';
import { isPlaygroundKeyId } from './playground-key.ts';

const csvHeader = [
  'day',
  'model',
  'key',
  'requests',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'tokens_cached',
  'tokens_cache_written',
  'session',
];

/** Usage as CSV (RFC 4180). Cached tokens are parts of `tokens_in`. */
export function respondWithUsageCsv(data: AccountData): Response {
  const names = toKeyNames(data);
  const rows = data.usage.map((sum) => [
    sum.day,
    sum.model,
    toKeyName(names, sum.keyId),
    sum.requests,
    sum.tokensIn,
    sum.tokensOut,
    sum.costUsd ?? '',
    sum.cachedTokens,
    sum.cacheWriteTokens,
    sum.session ?? '',
  ]);
  const lines = [csvHeader, ...rows].map((cells) => cells.map(toCell).join(','));
  return toFile(`${lines.join('\r\n')}\r\n`, 'text/csv; charset=utf-8', 'usage.csv');
}

export function respondWithUsageJson(data: AccountData): Response {
  return toJsonFile(toUsageJson(data), 'usage.json');
}

/** All that is stored of a member. */
export function respondWithMemberData(
  member: Member,
  data: Awaited<ReturnType<Account['loadAll']>>,
): Response {
  const { id, issuer, subject, name, email, claims, budget, group } = member;
  const { createdAt, confirmedAt } = member;
  const body = {
    member: {
      id,
      issuer,
      subject,
      name,
      email,
      claims,
      budget: budget && formatBudget(budget),
      group: group?.name ?? null,
      created_at: toIso(createdAt),
      confirmed_at: toIso(confirmedAt),
    },
    keys: data.keys.map((key) => ({
      id: key.id,
      name: key.name,
      models: key.models,
      tokens_per_day: key.tokensPerDay,
      budget: key.budget === null ? null : formatBudget(key.budget),
      created_at: toIso(key.createdAt),
      expires_at: toIso(key.expiresAt),
      revoked_at: toIso(key.revokedAt),
      last_used_at: toIso(data.lastUsed.get(key.id) ?? null),
      last_used_from: key.usedFrom,
    })),
    sessions: data.sessions.map(({ device, createdAt, usedAt }) => ({
      device,
      created_at: toIso(createdAt),
      last_used_at: toIso(usedAt),
    })),
    changes: data.changes.map(({ at, action, target }) => ({ at: toIso(at), action, target })),
    ...toUsageJson(data),
  };
  return toJsonFile(body, 'account.json');
}

function toUsageJson(data: AccountData) {
  const names = toKeyNames(data);
  return {
    from: data.fromDay,
    to: data.today,
    usage: data.usage.map((sum) => ({
      day: sum.day,
      model: sum.model,
      key: toKeyName(names, sum.keyId),
      requests: sum.requests,
      tokens_in: sum.tokensIn,
      tokens_out: sum.tokensOut,
      tokens_cached: sum.cachedTokens,
      tokens_cache_written: sum.cacheWriteTokens,
      cost_usd: sum.costUsd,
      session: sum.session,
    })),
  };
}

function toKeyName(names: ReadonlyMap<string, string>, keyId: string): string {
  return names.get(keyId) ?? (isPlaygroundKeyId(keyId) ? 'Playground' : keyId);
}

function toKeyNames({ keys }: AccountData): ReadonlyMap<string, string> {
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** A cell that begins like a formula would be run by spreadsheets. */
function toCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toJsonFile(body: object, name: string): Response {
  return toFile(`${JSON.stringify(body, null, 2)}\n`, 'application/json; charset=utf-8', name);
}

function toFile(body: string, type: string, name: string): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Content-Disposition', `attachment; filename="${name}"`],
      ['Cache-Control', 'private, no-store'],
    ],
    body,
  });
}

function toIso(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
