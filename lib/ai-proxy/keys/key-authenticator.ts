import type { ProxyError } from '../proxy-error.ts';
import type { ApiKey } from './api-key.ts';
import { readKeyText, toUnauthorized } from './authorization.ts';
import { createKeyCache, type KeyCacheOptions } from './key-cache.ts';
import type { KeyHasher } from './key-hash.ts';

export type KeyAuthenticatorOptions = KeyCacheOptions & Readonly<{ toHash: KeyHasher }>;

export type KeyAuthenticator = Readonly<{
  /**
   * Whose request this is, by its Authorization header.
   * @throws ProxyError 401 `invalid_api_key`, or 503 where keys could not be read for too long.
   */
  authenticate: (authorization: string | null) => Promise<ApiKey>;
}>;

/**
 * Keys as they are in force, from memory. A change, in whatever process, is followed within 5 s:
 * a new key and a rotated one at their first use.
 */
export function createKeyAuthenticator({
  toHash,
  ...options
}: KeyAuthenticatorOptions): KeyAuthenticator {
  const fresh = createKeyCache(options);
  const { now } = options;
  return {
    async authenticate(authorization) {
      const hash = toHash(readKeyText(authorization));
      const known = await fresh.find(hash);
      // To whoever has a key that was taken back, it is as good as one that never was.
      if (known === null || known.isRevoked)
        throw toUnknown(known === null ? 'unknown' : 'revoked');
      const { key } = known;
      if (key.expiresAt !== null && key.expiresAt <= now()) throw toExpired(key.expiresAt);
      return key;
    },
  };
}

function toUnknown(reason: string): ProxyError {
  return toUnauthorized(
    'This API key is not in force. Check which key is sent, or ask for a new one.',
    reason,
  );
}

// Only whoever holds the true key comes this far.
function toExpired(expiresAt: number): ProxyError {
  const moment = new Date(expiresAt).toISOString();
  return toUnauthorized(`This API key expired at ${moment}. Ask for a new one.`, 'expired');
}
