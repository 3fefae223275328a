import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#lib/database.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { printTable } from '../figures.ts';
import { startBooksSite } from './books-site.ts';
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

async function main(): Promise<void> {
  const site = await startBooksSite(values.engine, values.records, {
    settings: { USAGE_DAYS: '1' },
  });
  try {
    const database = await openDatabase(site.place);
    const before = await measureDelays(site, () => untilPruning(database));
    const during = await measureDelays(site, () => untilPruned(database));
    await database.close();
    printTable(
      [`${values.engine}, ${values.records} records`, ...delayHeads],
      [
        ['before', ...before],
        ['while old ones are deleted', ...during],
      ],
    );
    process.stderr.write(`memory: ${JSON.stringify(site.server.memoryMb())}
`);
  } finally {
    await site.close();
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
