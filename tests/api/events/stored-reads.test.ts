import { describe, expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { send } from '../../support/clients/http-client.ts';
import { readName, startEditedTable } from '../../support/servers/edited-table.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** What a process that starts, or has lost its database, knows of the table. */

async function expectStartWithoutTable(storage: Environment): Promise<void> {
  await using table = await startEditedTable(storage);
  const before = await startMarquee(table.settings);
  const { text } = await send(before, '/api/v1/events');
  expect(text).toContain('Lantern Jam');
  const requests = table.stats().requests;
  // What it has read is stored a moment later.
  await before.terminate();
  table.rename('Candle Jam');
  await using after = await startMarquee(table.settings);
  expect((await send(after, '/api/v1/events')).text).toBe(text);
  expect(table.stats().requests).toBe(requests);
  expect(table.reads()).toBe(1);
}

test('after a restart the first request is served without asking Airtable', () =>
  expectStartWithoutTable({ DATA_DIR: makeTestFolder() }));

describe('with PostgreSQL', () => {
  const postgres = setUpPostgres();
  const toSettings = async () => ({
    DATABASE_URL: await postgres.createDatabase(),
    KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
  });

  test('after a restart the first request is served without asking Airtable', async () =>
    expectStartWithoutTable(await toSettings()));

  test('while it is down each instance reads for itself, and the site goes on', async () => {
    await using table = await startEditedTable({
      ...(await toSettings()),
      EVENTS_CACHE_SECONDS: '2',
    });
    await using one = await startMarquee(table.settings);
    await using other = await startMarquee(table.settings);
    for (const server of [one, other]) expect(await readName(server)).toBe('Lantern Jam');
    await postgres.kill();
    table.rename('Candle Jam');
    for (const server of [one, other]) {
      await expect.poll(() => readName(server)).toBe('Candle Jam');
    }
    await postgres.start();
    table.rename('Torch Jam');
    for (const server of [one, other]) {
      await expect.poll(() => readName(server)).toBe('Torch Jam');
    }
  });
});
