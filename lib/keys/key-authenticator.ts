import { toClientAddress } from '#lib/http/client-address.ts';
import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { ApiKey } from './api-key.ts';
import { readKeyText, toUnauthorized } from './authorization.ts';
import { createInvalidKeyThrottle } from './invalid-key-throttle.ts';
import { createKeyCache, type KeyCacheOptions } from './key-cache.ts';
import type { KeyOrigins } from './key-origins.ts';
import type { KeyHasher } from './key-text.ts';

export type KeyAuthenticatorOptions = KeyCacheOptions &
  Readonly<{
    toHash: KeyHasher;
    /** Where members sign in, at `/account`. */
    siteUrl: string;
    /** For keys that were made with the previous pepper. */
    toPreviousHash?: KeyHasher | null;
    /** How many proxies of ours are in front: see `readClientAddress`. */
    trustedHops?: number;
    noteOrigin?: KeyOrigins;
  }>;

export type KeyAuthenticator = Readonly<{
  /**
   * Finds the key in an Authorization header. @param request whose client has to wait if it tries many
   * keys. @throws HttpError 401 `invalid_api_key`, or 503 if keys cannot be read for too long.
   */
  authenticate: (authorization: string | null, request?: Request) => Promise<ApiKey>;
}>;

/**
 * Authenticates from memory. A change by any process takes effect within 5 s; a new or rotated key works at
 * its first use.
 */
export function createKeyAuthenticator({
  toHash,
  siteUrl,
  toPreviousHash = null,
  trustedHops = 0,
  noteOrigin = () => {},
  ...options
}: KeyAuthenticatorOptions): KeyAuthenticator {
  const cache = createKeyCache(options);
  const { now } = options;
  const slowDown = createInvalidKeyThrottle(options);

  async function findKey(authorization: string | null): Promise<ApiKey> {
    const text = readKeyText(authorization);
    const hashes = [toHash(text), ...(toPreviousHash === null ? [] : [toPreviousHash(text)])];
    const known = await cache.find(hashes);
    // A revoked key gets the same response as an unknown one.
    if (known === null || known.isRevoked) throw toUnknown(known === null ? 'unknown' : 'revoked');
    const { key, signInBefore } = known;
    if (signInBefore <= now()) throw toUnconfirmed(siteUrl);
    if (key.expiresAt !== null && key.expiresAt <= now()) throw toExpired(key.expiresAt);
    return key;
  }

  return {
    async authenticate(authorization, request) {
      try {
        const key = await findKey(authorization);
        if (request !== undefined) noteOrigin(key.id, () => toClientAddress(request, trustedHops));
        return key;
      } catch (error) {
        const { status, reason = '' } = isHttpError(error) ? error : { status: 500 };
        if (status === 401) {
          channels.keyRefused.publish({ reason });
          if (request !== undefined) await slowDown(toClientAddress(request, trustedHops));
        }
        throw error;
      }
    },
  };
}

function toUnknown(reason: string): HttpError {
  return toUnauthorized(
    'This API key is not valid. Check which key is sent, or ask for a new one.',
    reason,
  );
}

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
