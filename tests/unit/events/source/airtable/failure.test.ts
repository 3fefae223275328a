import { expect, test } from 'vitest';
import { AirtableError, toFailure } from '#lib/events/source/airtable/failure.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';

test.for([
  [401, { error: { type: 'AUTHENTICATION_REQUIRED' } }, 'credentials_rejected'],
  [
    403,
    { error: { type: 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND' } },
    'not_permitted_or_not_found',
  ],
  [404, { error: 'NOT_FOUND' }, 'not_found'],
  [404, { error: { type: 'NOT_FOUND' } }, 'not_found'],
  [422, { error: { type: 'INVALID_REQUEST_UNKNOWN' } }, 'request_rejected'],
  [422, { error: { type: 'UNKNOWN_FIELD_NAME' } }, 'unknown_field'],
  [422, { error: { type: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' } }, 'iterator_expired'],
  [422, { error: { type: 'INVALID_OFFSET_VALUE' } }, 'iterator_expired'],
  [429, { error: { type: 'RATE_LIMIT_REACHED' } }, 'rate_limited'],
  [429, { errors: [{ error: 'RATE_LIMIT_REACHED' }] }, 'rate_limited'],
  [429, { error: { type: 'PUBLIC_API_BILLING_LIMIT_EXCEEDED' } }, 'quota_exhausted'],
  [429, { errors: [{ error: 'PUBLIC_API_BILLING_LIMIT_EXCEEDED' }] }, 'quota_exhausted'],
  [503, { error: { type: 'RETRIABLE_ERROR' } }, 'unavailable'],
  [500, undefined, 'server_error'],
  [502, undefined, 'server_error'],
  [302, undefined, 'unexpected_status'],
  [418, { errors: [null] }, 'unexpected_status'],
  [500, { error: null, errors: 'x' }, 'server_error'],
] as const)('%i with %j is %s', ([status, body, reason]) => {
  expect(toFailure(status, body, undefined)).toEqual({ reason, status });
});

test('the error is a 502, with the seconds to wait rounded up', () => {
  const error = new AirtableError({ reason: 'rate_limited', status: 429, retryAfterMs: 1001 });
  expect(isHttpError(error)).toBe(true);
  expect(error).toMatchObject({
    status: 502,
    code: 'upstream_error',
    reason: 'rate_limited (429)',
  });
  expect(error.headers).toEqual({ 'Retry-After': '2' });
});

test('a failure without a time of its own tells clients to wait for five seconds', () => {
  expect(new AirtableError({ reason: 'network' }).headers).toEqual({ 'Retry-After': '5' });
});
