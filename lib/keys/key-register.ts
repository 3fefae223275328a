import { createApiError, HttpError } from '#lib/http/errors/errors.ts';
import type { Actor } from '#lib/storage/audit-log.ts';
import { type CreateKeyInput, requireValidKeyInput } from './create-key-input.ts';
import {
  isKeyText,
  type KeyHasher,
  makeKeyText,
  randomBase62,
  toKeyHint,
  toPepperId,
} from './key-text.ts';
import type { InsertResult, KeyBounds, KeySecret } from './store/key-changes.ts';
import type { KeyOwner, KeyRecord } from './store/key-record.ts';
import type { KeyStore } from './store/key-store.ts';

/** More keys than these are a mistake or abuse. Revoked keys stay stored for their usage. */
export const memberKeyBounds: KeyBounds = { activeMax: 20, perDayMax: 100 };

/** Why a key cannot be made or changed. */
export type KeyProblem =
  | 'bad_request'
  | 'not_found'
  | 'key_taken'
  | 'key_revoked'
  | 'key_expired'
  | 'too_many_keys'
  | 'too_many_keys_today';

/** A new key; its text is known only now. */
export type IssuedKey = Readonly<{ text: string; record: KeyRecord }>;

type KeyRegisterOptions = Readonly<{
  keys: KeyStore;
  toHash: KeyHasher;
  /** For keys that were made with the previous pepper. */
  toPreviousHash?: KeyHasher | null;
  now: () => number;
}>;

/**
 * Key administration. `by` is the member who makes the change, for the audit log; by default it is the operator.
 * @throws HttpError 400, 404 or 409 whose code says what is wrong: see `KeyProblem`.
 */
export type KeyRegister = Readonly<{
  /** @param owner the member who makes the key, within `memberKeyBounds`; by default it is the operator's. */
  create: (input: CreateKeyInput, owner?: KeyOwner | null) => Promise<IssuedKey>;
  /** Gives a key a new secret; the old one stops working. */
  rotate: (reference: string, by?: Actor) => Promise<IssuedKey>;
  /** Fields that are left out stay as they are. */
  update: (reference: string, changes: Partial<CreateKeyInput>, by?: Actor) => Promise<KeyRecord>;
  revoke: (reference: string, by?: Actor) => Promise<KeyRecord>;
  /** Finds by name, id, or the key itself, e.g. for a leaked key of unknown name. */
  find: (reference: string) => Promise<KeyRecord>;
}>;

export function createKeyRegister({
  keys,
  toHash,
  toPreviousHash = null,
  now,
}: KeyRegisterOptions): KeyRegister {
  async function findByText(text: string): Promise<KeyRecord | null> {
    const hashes = [toHash(text), ...(toPreviousHash ? [toPreviousHash(text)] : [])];
    return (await keys.findByHash(hashes))[0] ?? null;
  }

  async function find(reference: string): Promise<KeyRecord> {
    const found = isKeyText(reference)
      ? await findByText(reference)
      : ((await keys.find('id', reference)) ?? (await keys.find('name', reference)));
    if (found !== null) return found;
    const shown = reference.startsWith('mq_') ? 'with that text' : JSON.stringify(reference);
    throw createApiError('not_found', {
      message: `There is no key ${shown}.`,
      hint: '`npm run keys -- list` shows names and ids.',
    });
  }

  return {
    find,
    async create(input, owner = null) {
      const createdAt = now();
      requireValidKeyInput(input, createdAt);
      const text = makeKeyText();
      const record: KeyRecord = {
        id: `key_${randomBase62(16)}`,
        owner,
        ...input,
        ...toSecret(text, toHash),
        createdAt,
        revokedAt: null,
        usedFrom: null,
        usedAt: null,
      };
      const result =
        owner === null
          ? await keys.insert(record)
          : await keys.insert(record, owner.id, memberKeyBounds);
      if (result === 'inserted') return { text, record };
      throw toInsertError(result, input.name);
    },
    async update(reference, changes, by = null) {
      const record = await find(reference);
      const updated = { ...record, ...changes };
      // An expired key may be renamed, but a new expiry must be in the future.
      const isExpiryNew = updated.expiresAt !== record.expiresAt;
      requireValidKeyInput(isExpiryNew ? updated : { ...updated, expiresAt: null }, now());
      // Writes only the changes, so that it does not undo a concurrent update.
      const result = await keys.update(record.id, changes, by);
      if (result === 'taken') throw toTaken(updated.name);
      if (result === 'inactive') throw toRevoked(record.name);
      return find(record.id);
    },
    async rotate(reference, by = null) {
      const record = await find(reference);
      if (record.expiresAt !== null && record.expiresAt <= now()) {
        throw toConflict('key_expired', `${JSON.stringify(record.name)} has expired.`, createOther);
      }
      const text = makeKeyText();
      const secret = toSecret(text, toHash);
      if (await keys.rotate(record.id, secret, by))
        return { text, record: { ...record, ...secret } };
      throw toRevoked(record.name);
    },
    async revoke(reference, by = null) {
      const record = await find(reference);
      if (await keys.revoke(record.id, by)) return find(record.id);
      throw toConflict('key_revoked', `${JSON.stringify(record.name)} has been revoked already.`);
    },
  };
}

const createOther = 'Create a key of another name.';

function toInsertError(result: Exclude<InsertResult, 'inserted'>, name: string): HttpError {
  const { activeMax, perDayMax } = memberKeyBounds;
  switch (result) {
    case 'taken':
      return toTaken(name);
    case 'too-many':
      return toConflict('too_many_keys', `A member may have ${activeMax} keys.`, 'Revoke one.');
    case 'too-many-today':
      return toConflict('too_many_keys_today', `A member may make ${perDayMax} keys a day.`);
    case 'no-owner':
      return createApiError('not_found', { message: 'There is no such member.' });
  }
}

function toTaken(name: string): HttpError {
  const problem = `There is a key named ${JSON.stringify(name)}, active or revoked.`;
  return toConflict('key_taken', problem, 'Choose another name, or rotate it.');
}

function toRevoked(name: string): HttpError {
  return toConflict('key_revoked', `${JSON.stringify(name)} is revoked.`, createOther);
}

function toConflict(code: KeyProblem, message: string, hint?: string): HttpError {
  return new HttpError(409, { code, message, hint });
}

function toSecret(text: string, toHash: KeyHasher): KeySecret {
  return { hash: toHash(text), hint: toKeyHint(text), pepperId: toPepperId(toHash) };
}
