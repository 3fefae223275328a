import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte: higher bytes would favour the first digits (modulo bias). */
const fairBytes = 248;
const format = /^mq_[0-9A-Za-z]{49}$/;
const checkedLength = 'mq_'.length + 43;
const hintLength = 'mq_'.length + 5;

/** Creates a key: `mq_`, 43 characters of base62 (256 random bits), and a checksum of 6. */
export function makeKeyText(): string {
  const checked = `mq_${randomBase62(43)}`;
  return checked + toChecksum(checked);
}

/**
 * Checks format and checksum, so that truncated, mistyped and foreign keys need no database query.
 * Does not say whether the key is valid.
 */
export function isKeyText(text: string): boolean {
  return (
    format.test(text) && text.slice(checkedLength) === toChecksum(text.slice(0, checkedLength))
  );
}

/** The start of a key: enough to recognize it, too little to help guess it. */
export function toKeyHint(text: string): string {
  return `${text.slice(0, hintLength)}…`;
}

function toChecksum(checked: string): string {
  return toBase62(crc32(checked), 6);
}

/** Hashes a key for storage: HMAC-SHA-256 under the pepper, in base64url. */
export type KeyHasher = (keyText: string) => string;

/** Keys have 256 random bits, so a fast hash is enough; the pepper protects a stolen database. */
export function createKeyHasher(pepper: string): KeyHasher {
  const secret = createSecretKey(pepper, 'utf8');
  return (keyText) => createHmac('sha256', secret).update(keyText).digest('base64url');
}

/**
 * Identifies a pepper without revealing it. Stored with each key, so that operators know which keys need an old one.
 */
export function toPepperId(toHash: KeyHasher): string {
  return toHash('pepper').slice(0, 8);
}

/** Random letters and digits, uniformly distributed: 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < fairBytes) text += base62Digits.charAt(byte % 62);
    }
  }
  return text;
}

/** An integer ≥ 0, padded with zeros. */
function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) {
    text = base62Digits.charAt(rest % 62) + text;
  }
  return text.padStart(length, '0');
}
