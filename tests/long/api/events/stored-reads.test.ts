import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { send } from '../../../support/clients/http-client.ts';
import { listChildren } from '../../../support/programs/list-children.ts';
import {
  type EditedTable,
  readName,
  startEditedTable,
} from '../../../support/servers/edited-table.ts';
import { startMarquee, startMarqueeInProcess } from '../../../support/servers/marquee-server.ts';
import { setUpOwnPostgres } from '../../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000 });

const patience = { timeout: 60_000 };

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
  const postgres = setUpOwnPostgres();
  const toSettings = async () => ({
    DATABASE_URL: await postgres.createDatabase(),
    KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
  });

  test('after a restart the first request is served without asking Airtable', async () =>
    expectStartWithoutTable(await toSettings()));

  describe('while it is down', () => {
    /** A server of three workers, which has never had its database. */
    async function startWithoutDatabase(table: EditedTable) {
      const server = await startMarquee({ ...table.settings, WORKERS: '3' });
      onTestFinished(server.stop);
      await expect.poll(server.logText, patience).toContain('"workers":3,"msg":"ready"');
      /** The processes that have read events. */
      const readers = () => {
        const lines = server.logText().matchAll(/"pid":(\d+).*"msg":"events read"/g);
        return new Set(Array.from(lines, ([, pid]) => Number(pid)));
      };
      return { ...server, readers };
    }

    async function startTableWithoutDatabase(): Promise<EditedTable> {
      const table = await startEditedTable(await toSettings());
      onTestFinished(table.close);
      await postgres.kill();
      onTestFinished(postgres.start);
      return table;
    }

    test('one worker of a machine reads the table for all', async () => {
      const table = await startTableWithoutDatabase();
      const server = await startWithoutDatabase(table);
      await expect.poll(() => server.readers().size, patience).toBe(3);
      expect(table.reads()).toBe(1);
      expect(table.stats().listRequests).toBe(1);
      for (let count = 0; count < 6; count++) expect(await readName(server)).toBe('Lantern Jam');
    });

    test('a worker that is killed as it reads leaves that to others', async () => {
      const table = await startTableWithoutDatabase();
      table.setFault({ kind: 'hang', times: 1 });
      const server = await startWithoutDatabase(table);
      await expect.poll(() => table.stats().listRequests, patience).toBe(1);
      expect(server.readers().size).toBe(0);
      const primary = Number(/"pid":(\d+),"port".*"ready"/.exec(server.logText())?.[1]);
      const [reader] = listChildren(primary);
      process.kill(reader ?? 0, 'SIGKILL');
      // Another one takes its place.
      await expect.poll(() => server.readers().size, patience).toBe(3);
      expect(server.readers()).not.toContain(reader);
    });
  });

  test('while it is down each instance reads for itself, and the site goes on', async () => {
    await using table = await startEditedTable({
      ...(await toSettings()),
      EVENTS_CACHE_SECONDS: '2',
    });
    await using instance = await startMarquee(table.settings);
    await using other = await startMarqueeInProcess(table.settings);
    for (const server of [instance, other]) expect(await readName(server)).toBe('Lantern Jam');
    await postgres.kill();
    table.rename('Candle Jam');
    for (const server of [instance, other]) {
      await expect.poll(() => readName(server)).toBe('Candle Jam');
    }
    await postgres.start();
    table.rename('Torch Jam');
    for (const server of [instance, other]) {
      await expect.poll(() => readName(server)).toBe('Torch Jam');
    }
  });
});
