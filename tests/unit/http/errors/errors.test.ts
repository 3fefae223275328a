import { expect, test, vi } from 'vitest';
import { respondWithApiError, toApiErrorBody } from '#lib/http/errors/api-error.ts';
import { createApiError, HttpError, isHttpError, toHttpError } from '#lib/http/errors/errors.ts';

test('an error has the documented body', async () => {
  const error = createApiError('not_acceptable', {
    message: 'It went wrong.',
    hint: 'Do it right.',
  });
  const response = respondWithApiError(error, 'https://events.example');
  expect(response.status).toBe(406);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    error: 'It went wrong.',
    code: 'not_acceptable',
    message: 'It went wrong.',
    hint: 'Do it right.',
    status: 406,
    documentation_url: 'https://events.example/docs/errors#not_acceptable',
  });
});

test('Content-Length is in bytes, and the error’s headers are sent', async () => {
  const error = createApiError('upstream_error', {
    message: '…é',
    headers: { 'Retry-After': '7' },
  });
  const response = respondWithApiError(error, 'https://x.example');
  expect(response.headers.get('retry-after')).toBe('7');
  expect(response.headers.get('content-length')).toBe(String((await response.bytes()).length));
});

test('reason and cause are not published', async () => {
  const error = createApiError('upstream_error', {
    message: 'No.',
    reason: 'canary-reason',
    cause: new Error('canary-cause'),
  });
  expect(await respondWithApiError(error, 'https://x.example').text()).not.toContain('canary');
});

// ASVS 16.5.1
test('an unknown error reveals nothing, whatever was thrown', () => {
  const fake = Object.assign(new Error('canary'), { code: 'ECONNREFUSED' });
  for (const thrown of [
    new Error('canary'),
    fake,
    'canary',
    null,
    undefined,
    7,
    { code: 'not_found' },
  ]) {
    const error = toHttpError(thrown);
    expect(error.code).toBe('internal_error');
    expect(JSON.stringify(toApiErrorBody(error, 'https://x.example'))).not.toContain('canary');
    expect(error.cause).toBe(thrown);
  }
});

test('an error from another copy of the module is recognized, and nothing by its name', async () => {
  const url = new URL('../../../../lib/http/errors/errors.ts', import.meta.url);
  vi.resetModules();
  const copy: typeof import('#lib/http/errors/errors.ts') = await import(url.href);
  const twin = copy.createApiError('not_found', { message: 'None.' });
  expect(twin).not.toBeInstanceOf(HttpError);
  expect(isHttpError(twin)).toBe(true);
  expect(isHttpError(Object.assign(new Error(), { name: 'HttpError', status: 404 }))).toBe(false);
});
