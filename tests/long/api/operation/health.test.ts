import { describe, expect, onTestFinished, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import {
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';
import { setUpOwnPostgres } from '../../../support/servers/postgres-server.ts';

const table = forTests(() => startTable());

describe('with a PostgreSQL of its own', () => {
  const postgres = setUpOwnPostgres();

  test('while PostgreSQL is frozen, a probe that gives up after a second gets its warning', async () => {
    await using server = await startMarqueeInProcess({
      ...toTableSettings(table),
      DATABASE_URL: await postgres.createDatabase(),
      KEY_PEPPER: 'p'.repeat(32),
    });
    await server.services.events.current();
    const probe = async () => {
      const signal = AbortSignal.timeout(1_000);
      return (await fetch(`${server.url}/health/ready`, { signal })).json();
    };
    await expect.poll(probe).toMatchObject({ status: 'ready', warnings: [] });
    postgres.freeze();
    onTestFinished(postgres.thaw);
    // A new connection is given up after 1.5 s, a query on one that is open is late after 2 s.
    const reason = expect.stringMatching(/did not respond within two seconds|cannot be reached/);
    const warning = { check: 'database', reason };
    await expect.poll(probe).toMatchObject({ status: 'ready', warnings: [warning] });
    postgres.thaw();
    await expect.poll(probe).toMatchObject({ status: 'ready', warnings: [] });
  });
});

test('from the first failed refresh on there is a warning with its reason', async () => {
  let now = Date.now();
  await using server = await startMarqueeInProcess(toTableSettings(table), { now: () => now });
  const read = async () => (await fetch(`${server.url}/health/ready`)).json();
  await server.services.events.current();
  const readAt = now;
  table.setFault({ kind: 'hang', times: 1 });
  onTestFinished(() => table.setFault(null));
  // A refresh is due a twentieth of the cache’s time before its end.
  now += 235_000;
  await server.services.events.current();
  await expect
    .poll(async () => (await read()).warnings)
    .toEqual([
      {
        check: 'events',
        reason: `timeout; the last events are served until ${new Date(readAt + 300_000).toISOString()}`,
      },
    ]);
  expect((await read()).status).toBe('ready');
});
