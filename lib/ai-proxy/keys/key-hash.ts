import { createHmac, createSecretKey } from 'node:crypto';

/** What is stored of a key: its HMAC-SHA-256 under the pepper, in base64url. */
export type KeyHasher = (keyText: string) => string;

/** Keys hold 256 bits by chance: no slow hash is needed, only one that a stolen database cannot be searched by. */
export function createKeyHasher(pepper: string): KeyHasher {
  const secret = createSecretKey(pepper, 'utf8');
  return (keyText) => createHmac('sha256', secret).update(keyText).digest('base64url');
}
