import { expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { forTests } from '../../support/for-tests.ts';
import {
  secretToken,
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';

const table = forTests(() => startTable());

async function readReadiness(environment: Environment, drain = false) {
  await using server = await startMarqueeInProcess(environment);
  // The first read also loads the client of PostgreSQL.
  await server.services.events.current().catch(() => {});
  if (drain) server.services.shutdown.abort();
  const response = await fetch(`${server.url}/health/ready`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const text = await response.text();
  for (const secret of [secretToken, 'canary']) expect(text).not.toContain(secret);
  const readiness = JSON.parse(text);
  expect(response.status).toBe(readiness.status === 'ready' ? 200 : 503);
  return readiness;
}

test('a server that can read its table is ready', async () => {
  expect(await readReadiness(toTableSettings(table))).toEqual({
    status: 'ready',
    reasons: [],
    warnings: [],
  });
});

test('without credentials it is not ready, and says which setting is missing', async () => {
  expect(await readReadiness({})).toMatchObject({
    status: 'not ready',
    reasons: [{ check: 'events', reason: 'AIRTABLE_TOKEN is not set' }],
  });
});

test('a table that cannot be read makes it not ready', async () => {
  const wrong = { ...toTableSettings(table), AIRTABLE_TOKEN: 'patWrong.canary' };
  const { status, reasons } = await readReadiness(wrong);
  expect(status).toBe('not ready');
  expect(reasons).toMatchObject([{ check: 'events', reason: expect.stringMatching(/401|token/i) }]);
});

test('a shared database that is away is a warning, since it would take all instances out', async () => {
  const { status, warnings } = await readReadiness({
    ...toTableSettings(table),
    DATABASE_URL: 'postgres://marquee:canary@127.0.0.1:1/marquee',
    KEY_PEPPER: 'p'.repeat(32),
  });
  expect(status).toBe('ready');
  expect(warnings).toEqual([
    {
      check: 'database',
      reason: 'DATABASE_URL points to a database that cannot be reached (ECONNREFUSED).',
    },
  ]);
});

test('a server that shuts down is not ready, but alive', async () => {
  expect(await readReadiness(toTableSettings(table), true)).toMatchObject({
    status: 'not ready',
    reasons: [{ check: 'server', reason: 'It is shutting down.' }],
  });
});

test('both names of the liveness check respond the same', async () => {
  await using server = await startMarqueeInProcess({});
  const texts = await Promise.all(
    ['/health', '/health/live'].map(async (path) => (await fetch(server.url + path)).text()),
  );
  expect(texts).toEqual(['{"status":"ok"}\n', '{"status":"ok"}\n']);
});
