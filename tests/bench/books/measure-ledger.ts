import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../support/programs/postgres.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { format, median, percentile, printTable } from '../figures.ts';

/**
 * `node tests/bench/books/measure-ledger.ts`: how many requests a second the ledger counts, reserves and settles, of one
 * process and of two with one budget of the site, on SQLite and on PostgreSQL that waits for the disk (fsync).
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
});

const program = `${import.meta.dirname}/ledger-load.ts`;
const loads = [1, 2].flatMap((processes) =>
  [10, 50].map((clients) => ({ processes, clients: clients / processes })),
);

async function main(): Promise<void> {
  const postgres = await startPostgres({ fsync: 'on', full_page_writes: 'on' });
  const rows: string[][] = [];
  try {
    for (const { processes, clients } of loads) {
      for (const kind of ['sqlite', 'postgres']) {
        const rates: number[] = [];
        const times: number[] = [];
        for (let round = 0; round < Number(values.rounds); round += 1) {
          using folder = makeTemporaryFolder();
          const url = kind === 'postgres' ? await postgres.createDatabase() : '';
          const args = [url, folder.path, String(clients), values.seconds];
          const found = await Promise.all(Array.from({ length: processes }, () => run(args)));
          rates.push(found.flat().length / Number(values.seconds));
          times.push(...found.flat());
        }
        rows.push([
          `${kind}, ${processes} × ${clients} at once`,
          format(median(rates)),
          rates.map((rate) => format(rate)).join(' '),
          format(median(times), 1),
          format(percentile(times, 0.99), 1),
        ]);
      }
    }
  } finally {
    await postgres.close();
  }
  printTable(['', 'requests/s', 'of each round', 'reserve p50 ms', 'p99 ms'], rows);
}

async function run(args: readonly string[]): Promise<number[]> {
  const child = fork(program, args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [[times]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return times;
}

await main();
