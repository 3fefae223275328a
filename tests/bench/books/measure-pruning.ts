import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#lib/database.ts';
import { toUtcDay } from '#lib/storage/days.ts';
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
 * there are, once it has run for ten minutes. How long that takes, how long requests take meanwhile, and before. Needs a build.
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
    const database = await openDatabase({ databaseUrl, dataDir });
    const target = { server, key };
    const before = await measureDelays(target, () => untilPruning(database));
    const during = await measureDelays(target, () => untilPruned(database));
    await database.close();
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

type Run = Pick<Database, 'run'>;

async function untilPruning(database: Run): Promise<void> {
  const first = await findOldest(database);
  while ((await findOldest(database))?.id === first?.id) await delay(everyMs);
}

async function untilPruned(database: Run): Promise<void> {
  const limit = toUtcDay(Date.now() - 86_400_000);
  for (;;) {
    const oldest = await findOldest(database);
    if (oldest === undefined || oldest.day >= limit) return;
    await delay(everyMs);
  }
}

/** Seldom, so as not to disturb. */
const everyMs = 2_000;

function findOldest({ run }: Run) {
  return run((db) =>
    db
      .selectFrom('marquee_usage')
      .select(['id', 'day'])
      .orderBy('day')
      .orderBy('at')
      .limit(1)
      .executeTakeFirst(),
  );
}

await main();
