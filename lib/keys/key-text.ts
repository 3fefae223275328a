import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { HttpError } from '#lib/http/errors/errors.ts';

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

// RFC 9110, section 11.4: the scheme is case-insensitive.
const bearer = /^ *bearer +([^ ]+) *$/i;
const lengthMax = 1_000;

/**
 * The key in an Authorization header. @throws HttpError 401 `invalid_api_key` without a
 * well-formed key. The message may describe the format, since that does not help to guess a key.
 */
export function readKeyText(header: string | null): string {
  if (header === null || header.trim() === '') {
    throw toUnauthorized(
      'No API key was sent. Send the header "Authorization: Bearer mq_...".',
      'missing',
    );
  }
  const text = header.length > lengthMax ? undefined : bearer.exec(header)?.[1];
  if (text === undefined) {
    throw toUnauthorized(
      'The Authorization header must be the word Bearer, a space, and an API key.',
      'not_bearer',
    );
  }
  if (isKeyText(text)) return text;
  throw toUnauthorized(
    'This is not an API key of this service. A key is "mq_" and 49 letters and digits: check that you copied all of it.',
    'malformed',
  );
}

/** The headers in which clients send a key. */
export const keyHeaders = ['Authorization', 'X-Api-Key', 'Api-Key'] as const;

/**
 * The Authorization header; where there is none, the key in `x-api-key`, as Anthropic's clients send it, or in
 * `api-key`, as those of Azure do.
 */
export function readAuthorization(headers: Pick<Headers, 'get'>): string | null {
  const authorization = headers.get('authorization');
  if (authorization) return authorization;
  const apiKey = headers.get('x-api-key') ?? headers.get('api-key');
  return apiKey === null ? authorization : `Bearer ${apiKey}`;
}

/** The same 401 for every reason (challenge: RFC 6750, section 3). */
export function toUnauthorized(message: string, reason: string): HttpError {
  return new HttpError(401, {
    code: 'invalid_api_key',
    message,
    reason: `key_${reason}`,
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
