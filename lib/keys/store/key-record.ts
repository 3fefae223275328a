import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Budget } from '#lib/config/budget.ts';
import { type MemberGroup, toBudget, toBudgetText, toGroup } from '#lib/spend/budgets.ts';
import type { MemberClaims, Schema } from '#lib/storage/schema.ts';
import { readStored, storedList } from '#lib/storage/stored-json.ts';

/** A stored key: its hash, never the key itself. Times are Unix ms. */
export type KeyRecord = Readonly<{
  id: string;
  /** null: made by the operator. */
  owner: KeyOwner | null;
  name: string;
  hash: string;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** Of the pepper that is part of the hash; null: not stored yet when the key was made. */
  pepperId: string | null;
  /** Ids or `prefix/*`; null for every model. */
  models: readonly string[] | null;
  /** null: the default of the settings. */
  requestsPerMinute: number | null;
  /** null: the default of the settings. */
  tokensPerDay: number | null;
  /** Besides the tokens per day; null: none. */
  budget: Budget | null;
  /** null: the default of the settings. */
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** The network that it was used from last, such as 203.0.113.0/24. */
  usedFrom: string | null;
  /** When it was last used; null: never. */
  usedAt: number | null;
}>;

/** The member whose key it is: what decides whether the key may be used, and how much. */
export type KeyOwner = Readonly<{
  id: string;
  email: string | null;
  claims: MemberClaims;
  isDisabled: boolean;
  /** null: the default of the settings. */
  budget: Budget | null;
  group: MemberGroup | null;
  /** When the provider last confirmed who it is, Unix ms. */
  confirmedAt: number;
}>;

export type KeyState = 'active' | 'expired' | 'revoked';

export function toKeyState(
  { revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** What its owner may change of a key. */
export type KeyUpdate = Pick<
  KeyRecord,
  'name' | 'models' | 'requestsPerMinute' | 'tokensPerDay' | 'budget' | 'expiresAt'
>;

export function toRow(key: KeyRecord): Insertable<Schema['marquee_keys']> {
  return {
    id: key.id,
    owner_id: key.owner?.id ?? null,
    hash: key.hash,
    hint: key.hint,
    pepper_id: key.pepperId,
    ...toUpdatableRow(key),
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    used_from: key.usedFrom,
    used_at: key.usedAt,
  };
}

/** The columns that an owner may change. */
export function toUpdatableRow(key: KeyUpdate) {
  return {
    name: key.name,
    models: key.models === null ? null : JSON.stringify(key.models),
    requests_per_minute: key.requestsPerMinute,
    tokens_per_day: key.tokensPerDay,
    budget: toBudgetText(key.budget),
    expires_at: key.expiresAt,
  };
}

type OwnerRow = Readonly<{
  email: string | null;
  claims: string | null;
  disabled_at: number | null;
  member_budget: string | null;
  group_name: string | null;
  group_budget: string | null;
  confirmed_at: number | null;
}>;

export function toRecord(row: Selectable<Schema['marquee_keys']> & OwnerRow): KeyRecord {
  return {
    id: row.id,
    owner: toOwner(row),
    hash: row.hash,
    hint: row.hint,
    pepperId: row.pepper_id,
    ...toKeyUpdate(row),
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    usedFrom: row.used_from,
    usedAt: row.used_at,
  };
}

/** What `toUpdatableRow` writes. */
export function toKeyUpdate(row: Selectable<Schema['marquee_keys']>): KeyUpdate {
  return {
    name: row.name,
    models: row.models === null ? null : readStored(storedList, row.models, []),
    requestsPerMinute: row.requests_per_minute,
    tokensPerDay: row.tokens_per_day,
    budget: toBudget(row.budget),
    expiresAt: row.expires_at,
  };
}

/** The values of each claim. */
export const storedClaims = z.record(z.string(), storedList);

/** A member as it is stored. */
export type StoredOwner = Omit<KeyOwner, 'isDisabled'> & Readonly<{ disabledAt: number | null }>;

export function toKeyOwner({ disabledAt, ...member }: StoredOwner): KeyOwner {
  const { id, email, claims, confirmedAt, budget, group } = member;
  return { id, email, claims, confirmedAt, isDisabled: disabledAt !== null, budget, group };
}

/** The key of a member that is no more stays without rights. */
function toOwner(row: Readonly<{ owner_id: string | null }> & OwnerRow): KeyOwner | null {
  if (row.owner_id === null) return null;
  return {
    id: row.owner_id,
    email: row.email,
    claims: row.claims === null ? {} : readStored(storedClaims, row.claims, {}),
    isDisabled: row.claims === null || row.disabled_at !== null,
    budget: toBudget(row.member_budget),
    group: toGroup(row.group_name, row.group_budget),
    confirmedAt: row.confirmed_at ?? 0,
  };
}
