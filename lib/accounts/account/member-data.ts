import { Readable } from 'node:stream';
import { formatBudget } from '#lib/config/budget.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { AuditEntry } from '#lib/storage/audit-log.ts';
import type { Member } from '../store/member-record.ts';
import type { MemberRecords } from './account.ts';
import { toRequestFields } from './request-files.ts';
import { toFile, toKeyName, toKeyNames } from './usage-files.ts';

/** All that is stored of a member, but for the hashes of secrets, as a stream: there may be millions of requests. */
export function respondWithMemberData(member: Member, records: MemberRecords): Response {
  const body = Readable.from(writeJson(member, records));
  return toFile(body, 'application/json; charset=utf-8', 'account.json');
}

async function* writeJson(member: Member, records: MemberRecords): AsyncIterable<string> {
  const names = toKeyNames(records);
  const head = JSON.stringify(toHead(member, records, names), null, 2);
  // The object goes on with its last member, a line for each request.
  yield `${head.slice(0, -2)},\n  "requests": [`;
  let separator = '\n';
  for await (const rows of records.requests()) {
    const lines = rows.map(
      (row) => `    ${JSON.stringify(toRequestFields(row, toKeyName(names, row.key_id)))}`,
    );
    yield separator + lines.join(',\n');
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}

type KeyNames = ReadonlyMap<string, string>;

function toHead(member: Member, records: MemberRecords, names: KeyNames) {
  const { budget, group, createdAt, confirmedAt, disabledAt, ...profile } = member;
  return {
    member: {
      ...profile,
      budget: budget && formatBudget(budget),
      group: group?.name ?? null,
      created_at: toIso(createdAt),
      confirmed_at: toIso(confirmedAt),
      disabled_at: toIso(disabledAt),
      alerts_by_mail: records.wantsAlerts,
    },
    keys: records.keys.map((key) => toKey(key)).reverse(),
    sessions: records.sessions.map(({ id, device, createdAt: from, usedAt }) => ({
      id,
      device,
      created_at: toIso(from),
      last_used_at: toIso(usedAt),
    })),
    changes: records.changes.map((entry) => toChange(entry, member.id)),
    totals: records.balances.map(({ account, period, tokens, nanoUsd }) => ({
      of: account.startsWith('key:') ? toKeyName(names, account.slice(4)) : 'you',
      period,
      tokens,
      cost_usd: nanoUsd / 1e9,
    })),
    rejections: records.rejections.map(({ keyId, at, ...rejection }) => ({
      key: toKeyName(names, keyId),
      minute: toIso(at),
      ...rejection,
    })),
  };
}

function toKey(key: KeyRecord) {
  return {
    id: key.id,
    name: key.name,
    begins_with: key.hint,
    models: key.models,
    requests_per_minute: key.requestsPerMinute,
    tokens_per_day: key.tokensPerDay,
    budget: key.budget === null ? null : formatBudget(key.budget),
    created_at: toIso(key.createdAt),
    expires_at: toIso(key.expiresAt),
    revoked_at: toIso(key.revokedAt),
    last_used_at: toIso(key.usedAt),
    last_used_from: key.usedFrom,
  };
}

/** Another member, who is an admin, is not named. */
function toChange({ at, actor, action, target, oldValues, newValues }: AuditEntry, id: string) {
  const by = actor === id ? 'you' : 'an admin';
  return {
    at: toIso(at),
    action,
    target,
    by: actor === null ? 'the operator' : by,
    old_values: oldValues,
    new_values: newValues,
  };
}

function toIso(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
