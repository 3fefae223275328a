import { HttpError } from '#lib/http/errors/errors.ts';
import { isKeyText } from './key-text.ts';

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
    'This is not an API key of this service. One is "mq_" and 49 letters and digits: check that it was copied whole.',
    'malformed',
  );
}

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
