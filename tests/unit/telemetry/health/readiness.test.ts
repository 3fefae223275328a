import { expect, onTestFinished, test } from 'vitest';
import { createApiError } from '#lib/http/errors/errors.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { type Check, Health } from '#lib/telemetry/health.ts';
import { createTestLog } from '../../../support/test-log.ts';

const works: Check = { name: 'events', isRequired: true, isCheap: true, run: async () => {} };

const read = (checks: readonly Check[], isDraining = false) =>
  new Health(checks).readReadiness(isDraining);

function fails(name: string, error: Error, isRequired = true): Check {
  return { name, isRequired, isCheap: true, run: () => Promise.reject(error) };
}

test('an instance whose checks pass is ready', async () => {
  expect(await read([works])).toEqual({
    status: 'ready',
    reasons: [],
    warnings: [],
  });
});

test('an instance that shuts down is not ready', async () => {
  const { status, reasons } = await read([works], true);
  expect(status).toBe('not ready');
  expect(reasons).toEqual([{ check: 'server', reason: 'It is shutting down.' }]);
});

test('what is required makes it not ready; the rest is a warning', async () => {
  const away = new StorageError('DATABASE_URL points to a database that cannot be reached.', {
    code: 'ECONNREFUSED',
  });
  const checks = [fails('database', away), fails('events', new Error('canary'), false)];
  expect(await read(checks)).toEqual({
    status: 'not ready',
    reasons: [{ check: 'database', reason: away.message }],
    warnings: [{ check: 'events', reason: 'It failed.' }],
  });
  expect(await read(checks.slice(1))).toMatchObject({ status: 'ready' });
});

test('the reason is ours, never a text of an upstream', async () => {
  const error = createApiError('upstream_error', { message: 'public', reason: 'Airtable: 401' });
  expect((await read([fails('events', error)])).reasons).toEqual([
    { check: 'events', reason: 'Airtable: 401' },
  ]);
  const unknown = await read([fails('events', new TypeError('canary'))]);
  expect(JSON.stringify(unknown)).not.toContain('canary');
});

test('a check that hangs is not waited for: what it found last holds for two seconds', async () => {
  let hangs = false;
  let runs = 0;
  const health = new Health(
    [
      {
        name: 'database',
        isRequired: true,
        isCheap: true,
        run: () => {
          runs += 1;
          return hangs ? new Promise(() => {}) : Promise.resolve();
        },
      },
    ],
    { everyMs: 10, freshMs: 0, patienceMs: 1 },
  );
  onTestFinished(() => health.close());
  expect((await health.readReadiness(false)).status).toBe('ready');
  hangs = true;
  expect((await health.readReadiness(false)).status).toBe('ready');
  health.start();
  await expect
    .poll(async () => (await health.readReadiness(false)).reasons)
    .toEqual([{ check: 'database', reason: 'It did not respond within two seconds.' }]);
  expect(await health.readCheap()).toEqual(new Map([['database', false]]));
  expect(runs).toBe(2);
});

test('a check that begins to fail is logged once, and that it works again', async () => {
  const log = createTestLog();
  let error: Error | null = null;
  const run = async () => {
    if (error !== null) throw error;
  };
  const health = new Health([{ ...works, run }], { freshMs: 0, log });
  await health.readReadiness(false);
  expect(log.lines).toEqual([]);
  error = new StorageError('DATA_DIR is full.', { code: 'ENOSPC' });
  for (let times = 0; times < 3; times += 1) await health.readReadiness(false);
  error = null;
  for (let times = 0; times < 3; times += 1) await health.readReadiness(false);
  expect(log.lines).toEqual([
    {
      level: 'warn',
      fields: { check: 'events', reason: 'DATA_DIR is full.' },
      message: 'a check has failed',
    },
    { level: 'info', fields: { check: 'events' }, message: 'a check works again' },
  ]);
});

test('what has never responded is not ready', async () => {
  const hangs: Check = { ...works, run: () => new Promise(() => {}) };
  expect((await read([hangs])).reasons).toEqual([
    { check: 'events', reason: 'It has not responded yet.' },
  ]);
});

test('cheap checks run by themselves, others when they are asked for', async () => {
  const runs = { events: 0, disk: 0 };
  const count = (name: keyof typeof runs, isCheap: boolean): Check => ({
    name,
    isRequired: true,
    isCheap,
    run: async () => {
      runs[name] += 1;
    },
  });
  const health = new Health([count('events', false), count('disk', true)], { everyMs: 5 });
  onTestFinished(() => health.close());
  health.start();
  await expect.poll(() => runs.disk).toBeGreaterThan(2);
  expect(await health.readCheap()).toEqual(new Map([['disk', true]]));
  expect(runs.events).toBe(0);
  await health.readReadiness(false);
  expect(runs.events).toBe(1);
});
