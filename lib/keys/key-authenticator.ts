import { toClientAddress } from '#lib/http/client-address.ts';
import { type HttpError, isHttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { type ApiKey, type KeyDefaults, type KeySettings, toApiKey } from './api-key.ts';
import { createInvalidKeyThrottle } from './invalid-key-throttle.ts';
import { createKeyOrigins } from './key-origins.ts';
import type { KeyHasher } from './key-text.ts';
import { readKeyText, toUnauthorized } from './key-text.ts';
import { createRecordCache } from './record-cache.ts';
import { type KeyOwner, type StoredOwner, toKeyOwner } from './store/key-record.ts';
import type { KeyStore } from './store/key-store.ts';

type KeyAuthenticatorOptions = Readonly<{
  keys: Pick<KeyStore, 'findByHash' | 'setUsedFrom'>;
  members: Readonly<{ find: (id: string) => Promise<StoredOwner | null> }>;
  defaults: KeyDefaults;
  keysWorkUntil: OwnerRule;
  toHash: KeyHasher;
  /** For keys that were made with the previous pepper. */
  toPreviousHash?: KeyHasher | null;
  /** Where members sign in, at `/account`. */
  siteUrl: string;
  /** How many proxies of ours are in front: see `readClientAddress`. */
  trustedHops?: number;
  log: Log;
  /** Unix ms. */
  now: () => number;
  /** A monotonic clock, in ms. */
  uptime?: () => number;
}>;

/** Until when a member's keys work without another sign-in, Unix ms; null: they do not work. */
export type OwnerRule = (owner: KeyOwner) => number | null;

export type Authenticated = Readonly<{
  key: ApiKey;
  /**
   * Null while the key still works, or may since the database is away; else the error that ends its running streams.
   */
  recheck: () => Promise<HttpError | null>;
}>;

/** What a member uses without a key: in the playground. */
export type MemberKey = Pick<KeySettings, 'id' | 'name'> & Readonly<{ owner: KeyOwner }>;

export type KeyAuthenticator = Readonly<{
  /**
   * Finds the key in an Authorization header. @param request whose client has to wait if it tries many
   * keys. @throws HttpError 401 `invalid_api_key`, or 503 if keys cannot be read for too long.
   */
  authenticate: (authorization: string | null, request?: Request) => Promise<Authenticated>;
  /** A member whose session has been found, with the default limits. */
  authenticateMember: (key: MemberKey) => Authenticated;
}>;

type StoredKey = Readonly<{ key: ApiKey; isRevoked: boolean; owner: KeyOwner | null }>;

/** A change by any process takes effect within 5 s; a new or rotated key works at its first use. */
export function createKeyAuthenticator(options: KeyAuthenticatorOptions): KeyAuthenticator {
  const { keys, defaults, keysWorkUntil, toHash, toPreviousHash, siteUrl, now } = options;
  const { log, uptime = () => performance.now(), trustedHops = 0 } = options;
  const slowDown = createInvalidKeyThrottle({ uptime });
  const noteOrigin = createKeyOrigins({ keys, now, log });

  // The time that a lookup takes could only tell something of a keyed hash, which a client cannot choose.
  const findKey = createRecordCache<StoredKey>({
    name: 'keys',
    log,
    uptime,
    load: (hashes) => loadKeys(options, hashes),
  });
  const findOwner = createRecordCache<KeyOwner>({
    name: 'members',
    log,
    uptime,
    load: (ids) => loadOwners(options, ids),
  });

  async function requireKey(hashes: readonly string[], staleMs?: number): Promise<ApiKey> {
    const known = await findKey(hashes, staleMs);
    // A revoked key gets the same response as an unknown one.
    if (known === null) throw toUnauthorized(invalidKey, 'unknown');
    const { key, owner, isRevoked } = known;
    if (isRevoked) throw toUnauthorized(invalidKey, 'revoked');
    if (owner !== null) requireOwner(owner, invalidKey);
    if (key.expiresAt !== null && key.expiresAt <= now()) throw toExpired(key.expiresAt);
    return key;
  }

  function requireOwner(owner: KeyOwner | null, message: string): void {
    const signInBefore = owner === null ? null : keysWorkUntil(owner);
    if (signInBefore === null) throw toUnauthorized(message, 'revoked');
    if (signInBefore <= now()) throw toUnconfirmed(siteUrl);
  }

  return {
    async authenticate(authorization, request) {
      try {
        const text = readKeyText(authorization);
        const hashes = [toHash(text), ...(toPreviousHash ? [toPreviousHash(text)] : [])];
        const key = await requireKey(hashes);
        if (request !== undefined) noteOrigin(key.id, () => toClientAddress(request, trustedHops));
        return { key, recheck: () => toError(requireKey(hashes, recheckStaleMs)) };
      } catch (error) {
        const { status, reason = '' } = isHttpError(error) ? error : { status: 500 };
        if (status === 401) {
          channels.keyRefused.publish({ reason });
          if (request !== undefined) await slowDown(toClientAddress(request, trustedHops));
        }
        throw error;
      }
    },
    authenticateMember(key) {
      // Now, so that a stream goes on if the database is away at its first recheck.
      findOwner([key.owner.id]).catch(() => {});
      return {
        key: toApiKey({ ...withoutOwn, ...key }, defaults),
        recheck: () =>
          toError(
            findOwner([key.owner.id], recheckStaleMs).then((owner) =>
              requireOwner(owner, invalidMember),
            ),
          ),
      };
    },
  };
}

/** By their hashes. */
async function loadKeys(
  { keys, defaults }: Pick<KeyAuthenticatorOptions, 'keys' | 'defaults'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, StoredKey>> {
  const records = await keys.findByHash(hashes);
  return new Map(
    records.map((record) => [
      record.hash,
      {
        key: toApiKey(record, defaults),
        isRevoked: record.revokedAt !== null,
        owner: record.owner,
      },
    ]),
  );
}

/** By their ids. */
async function loadOwners(
  { members }: Pick<KeyAuthenticatorOptions, 'members'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyOwner>> {
  const found = await Promise.all(ids.map(members.find));
  return new Map(found.flatMap((member) => (member ? [[member.id, toKeyOwner(member)]] : [])));
}

/** While the database is away, streams go on for so long. */
const recheckStaleMs = 60_000;

/** The settings of a key that has none of its own. */
const withoutOwn = {
  models: null,
  requestsPerMinute: null,
  tokensPerDay: null,
  budget: null,
  expiresAt: null,
};

async function toError(checked: Promise<unknown>): Promise<HttpError | null> {
  try {
    await checked;
    return null;
  } catch (error) {
    return toHttpError(error);
  }
}

const invalidKey = 'This API key is not valid. Check which key is sent, or ask for a new one.';
const invalidMember = 'This account is disabled or deleted. Ask the people who run this site.';

// Only the key's owner gets this far.
function toExpired(expiresAt: number): HttpError {
  const moment = new Date(expiresAt).toISOString();
  return toUnauthorized(`This API key expired at ${moment}. Ask for a new one.`, 'expired');
}

// At the next sign-in the rules are applied again, and the key works again.
function toUnconfirmed(siteUrl: string): HttpError {
  return toUnauthorized(
    `The owner of this API key has not signed in for too long. Sign in at ${siteUrl}/account, and it works again.`,
    'unconfirmed',
  );
}
