import { expect, test } from 'vitest';
import { createApiError } from '#lib/http/errors/errors.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { type Check, checkReadiness } from '#lib/telemetry/health.ts';

const works: Check = { name: 'events', isRequired: true, run: async () => {} };

function fails(name: string, error: Error, isRequired = true): Check {
  return { name, isRequired, run: () => Promise.reject(error) };
}

test('an instance whose checks pass is ready', async () => {
  expect(await checkReadiness([works], false)).toEqual({
    status: 'ready',
    reasons: [],
    warnings: [],
  });
});

test('an instance that shuts down is not ready', async () => {
  const { status, reasons } = await checkReadiness([works], true);
  expect(status).toBe('not ready');
  expect(reasons).toEqual([{ check: 'server', reason: 'It is shutting down.' }]);
});

test('what is required makes it not ready; the rest is a warning', async () => {
  const away = new StorageError('DATABASE_URL points to a database that cannot be reached.', {
    code: 'ECONNREFUSED',
  });
  const checks = [fails('database', away), fails('events', new Error('canary'), false)];
  expect(await checkReadiness(checks, false)).toEqual({
    status: 'not ready',
    reasons: [{ check: 'database', reason: away.message }],
    warnings: [{ check: 'events', reason: 'It failed.' }],
  });
  expect(await checkReadiness(checks.slice(1), false)).toMatchObject({ status: 'ready' });
});

test('the reason is ours, never a text of an upstream', async () => {
  const error = createApiError('upstream_error', { message: 'public', reason: 'Airtable: 401' });
  expect((await checkReadiness([fails('events', error)], false)).reasons).toEqual([
    { check: 'events', reason: 'Airtable: 401' },
  ]);
  const unknown = await checkReadiness([fails('events', new TypeError('canary'))], false);
  expect(JSON.stringify(unknown)).not.toContain('canary');
});

test('a check that hangs has two seconds', async () => {
  const hangs: Check = { name: 'database', isRequired: true, run: () => new Promise(() => {}) };
  expect((await checkReadiness([hangs], false)).reasons).toEqual([
    { check: 'database', reason: 'It did not respond within two seconds.' },
  ]);
});
