import { formatBudget } from '#lib/config/budget.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { AuditEntry } from '#lib/storage/audit-log.ts';
import { toPages } from '../files/file-response.ts';
import { respondWithJson, toFields } from '../files/json-file.ts';
import { requestColumns } from '../lists/request-list.ts';
import type { Member } from '../store/member-record.ts';
import type { MemberRecords } from './account.ts';
import { toKeyName, toKeyNames } from './usage-files.ts';

/** All that is stored of a member, but for the hashes of secrets. */
export function respondWithMemberData(member: Member, records: MemberRecords): Promise<Response> {
  const names = toKeyNames(records);
  const toName = (keyId: string) => toKeyName(names, keyId);
  return respondWithJson(
    'account',
    { member: toProfile(member, records) },
    {
      keys: mapPages(toPages(records.keys.toReversed()), toKey),
      sessions: mapPages(toPages(records.sessions), ({ id, device, createdAt, usedAt }) => ({
        id,
        device,
        created_at: toIso(createdAt),
        last_used_at: toIso(usedAt),
      })),
      changes: mapPages(records.changes, (entry) => toChange(entry, member.id)),
      totals: mapPages(records.balances, ({ account, period, tokens, nanoUsd }) => ({
        of: account.startsWith('key:') ? toName(account.slice(4)) : 'you',
        period,
        tokens,
        cost_usd: nanoUsd / 1e9,
      })),
      rejections: mapPages(records.rejections, ({ keyId, at, ...rejection }) => ({
        key: toName(keyId),
        minute: toIso(at),
        ...rejection,
      })),
      requests: mapPages(records.requests, (row) =>
        toFields(requestColumns, { row, keyName: toName(row.key_id) }),
      ),
    },
  );
}

async function* mapPages<T>(
  pages: AsyncIterable<readonly T[]>,
  toItem: (row: T) => object,
): AsyncGenerator<object[]> {
  for await (const rows of pages) yield rows.map(toItem);
}

function toProfile(
  { budget, group, createdAt, confirmedAt, disabledAt, ...profile }: Member,
  { wantsAlerts }: MemberRecords,
) {
  return {
    ...profile,
    budget: budget && formatBudget(budget),
    group: group?.name ?? null,
    created_at: toIso(createdAt),
    confirmed_at: toIso(confirmedAt),
    disabled_at: toIso(disabledAt),
    alerts_by_mail: wantsAlerts,
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
