import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#lib/database.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { startPostgres } from '../../support/programs/postgres.ts';
import { makeKeyIn } from '../../support/servers/make-key.ts';
import { printTable } from '../figures.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { startServerProcess } from '../servers/server-process.ts';
import { fillDatabase } from './fill-database.ts';
import { delayHeads, measureDelays } from './measure-delays.ts';

/**
 * `node tests/bench/books/measure-pruning.ts --engine sqlite --records 1000000`: a server deletes records of 29 days, of 30 that
 * there are. How long that takes, how long requests take meanwhile, and before. Needs a build.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    records: { type: 'string', default: '1000000' },
  },
});

const pepper = 'pepper-of-the-bench-0123456789abcdef';

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const postgres = values.engine === 'postgres' ? await startPostgres() : null;
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  const models = await startTestModels({ key: 'sk-bench' });
  const { airtable, environment } = await startEventsTable();
  try {
    const records = Number(values.records);
    await fillDatabase({
      ...{ databaseUrl, dataDir, records },
      ...{ issuer: 'https://identity.example', subject: 'ada', now: Date.now() },
    });
    const { text: key } = await makeKeyIn({ databaseUrl, dataDir }, pepper);
    process.stderr.write(`${records} records are there\n`);
    const server = await startServerProcess(
      ['--disable-warning=ExperimentalWarning', 'lib/server/main.ts'],
      {
        environment: {
          ...environment,
          AI_UPSTREAM_URL: models.url,
          AI_UPSTREAM_KEY: models.key,
          DATA_DIR: dataDir,
          KEY_PEPPER: pepper,
          LOG_LEVEL: 'warn',
          USAGE_DAYS: '1',
          ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
        },
        processor: 'any',
      },
    );
    const before = await measureDelays({ server, key }, () => delay(20_000));
    const during = await measureDelays({ server, key }, () => untilPruned(databaseUrl, dataDir));
    printTable(
      [`${values.engine}, ${records} records`, ...delayHeads],
      [
        ['before', ...before],
        ['while old ones are deleted', ...during],
      ],
    );
    process.stderr.write(`memory: ${JSON.stringify(server.memoryMb())}\n`);
    await server.stop();
  } finally {
    await Promise.all([airtable.close(), models.close(), postgres?.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Until the first balances, records and rejections of the oldest days are gone. It asks seldom, so as not to disturb. */
async function untilPruned(databaseUrl: string | null, dataDir: string): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir });
  const limit = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const findFirst = () =>
    database.run((db) =>
      db.selectFrom('marquee_usage').select('day').orderBy('day').limit(1).executeTakeFirst(),
    );
  for (let shown = ''; ; await delay(2_000)) {
    const { day = limit } = (await findFirst()) ?? {};
    if (day !== shown) process.stderr.write(`${new Date().toISOString()} oldest day ${day}\n`);
    shown = day;
    if (day >= limit) break;
  }
  await database.close();
}

await main();
