import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listChildren } from '../../support/programs/list-children.ts';
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
        let cpuMicroseconds = 0;
        const postgresBefore = readCpuOfChildren(process.pid);
        for (let round = 0; round < Number(values.rounds); round += 1) {
          using folder = makeTemporaryFolder();
          const url = kind === 'postgres' ? await postgres.createDatabase() : '';
          const args = [url, folder.path, String(clients), values.seconds];
          const found = await Promise.all(Array.from({ length: processes }, () => run(args)));
          const all = found.flatMap((result) => result.times);
          rates.push(all.length / Number(values.seconds));
          times.push(...all);
          cpuMicroseconds += found.reduce((sum, result) => sum + result.cpuMicroseconds, 0);
        }
        const postgresCpu = readCpuOfChildren(process.pid) - postgresBefore;
        rows.push([
          `${kind}, ${processes} × ${clients} at once`,
          format(median(rates)),
          rates.map((rate) => format(rate)).join(' '),
          format(median(times), 1),
          format(percentile(times, 0.99), 1),
          format(cpuMicroseconds / times.length),
          kind === 'postgres' ? format(postgresCpu / times.length) : '',
        ]);
      }
    }
  } finally {
    await postgres.close();
  }
  const heads = ['requests/s', 'of each round', 'reserve p50 ms', 'p99 ms'];
  printTable(['', ...heads, 'CPU µs a request', 'of PostgreSQL'], rows);
}

type Found = Readonly<{ times: readonly number[]; cpuMicroseconds: number }>;

async function run(args: readonly string[]): Promise<Found> {
  const child = fork(program, args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [[found]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return found;
}

/** CPU time in µs of the child processes that run, those that they have waited for included (proc(5), `stat`). */
function readCpuOfChildren(pid: number): number {
  const ticks = listChildren(pid).map((child) => {
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, count) => sum + count * 10_000, 0);
}

await main();
