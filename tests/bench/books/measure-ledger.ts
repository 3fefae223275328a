import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listChildren } from '../../support/programs/list-children.ts';
import { startPostgres } from '../../support/programs/postgres.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { format, measureInTurns, median, medianRatio, printTable } from '../figures.ts';

/**
 * `node tests/bench/books/measure-ledger.ts`: how many requests a second the ledger counts, reserves and settles, of one
 * process and of two, whose keys are in one group or in a hundred, with a budget of the site or without. PostgreSQL waits
 * for the disk (fsync). `--against` names other checkouts, measured in turns; they need the `ledger-load.ts` of this one.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', default: 'postgres' },
    processes: { type: 'string', default: '1,2' },
    clients: { type: 'string', default: '1,10,50,200' },
    groups: { type: 'string', default: '1,100' },
    total: { type: 'string', default: 'no,yes' },
    /** How much longer than this machine's disk takes to confirm a commit. */
    'disk-ms': { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
});

const roots = [`${import.meta.dirname}/../../..`, ...values.against];
const list = (text: string) => text.split(',');
const loads = list(values.groups).flatMap((groups) =>
  list(values.total).flatMap((total) =>
    list(values.processes).flatMap((processes) =>
      list(values.clients).map((clients) => ({ groups, total, processes, clients })),
    ),
  ),
);

type Load = (typeof loads)[number];
/** Where a checkout stores what it spends. */
type Place = Readonly<{ url: string; dataDir: string }>;
type Measured = Readonly<{ rate: number; p50: number; cpu: number; postgresCpu: number }>;

async function main(): Promise<void> {
  const postgres = await startPostgres({
    fsync: 'on',
    full_page_writes: 'on',
    commit_delay: String(Number(values['disk-ms']) * 1_000),
    commit_siblings: '0',
  });
  using folder = makeTemporaryFolder();
  const rows: string[][] = [];
  try {
    const places = new Map<string, Place>();
    for (const [index, root] of roots.entries()) {
      const url = values.engine === 'postgres' ? await postgres.createDatabase() : '';
      const dataDir = `${folder.path}/${index}`;
      mkdirSync(dataDir);
      places.set(root, { url, dataDir });
    }
    for (const load of loads) {
      if (Number(load.clients) < Number(load.processes)) continue;
      const results = await measureInTurns([...places], Number(values.rounds), ([root, place]) =>
        measure(root, load, place),
      );
      const [own = []] = results.values();
      const columnOf = (measured: readonly Measured[], name: keyof Measured) =>
        measured.map((each) => each[name]);
      for (const [[root], measured] of results) {
        const ratio = (name: keyof Measured) =>
          root === roots[0]
            ? ''
            : format(medianRatio(columnOf(own, name), columnOf(measured, name)), 2);
        rows.push([
          `${load.groups} groups, total: ${load.total}, ${load.processes} processes, ${load.clients} clients`,
          root === roots[0] ? 'current' : root,
          format(median(columnOf(measured, 'rate'))),
          format(median(columnOf(measured, 'p50')), 1),
          format(median(columnOf(measured, 'cpu'))),
          format(median(columnOf(measured, 'postgresCpu'))),
          ratio('rate'),
          ratio('p50'),
        ]);
        process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
      }
    }
  } finally {
    await postgres.close();
  }
  const heads = ['requests/s', 'reserve p50 ms', 'CPU µs a request', 'of PostgreSQL'];
  printTable(['', '', ...heads, 'requests/s ×', 'p50 ×'], rows);
}

async function measure(root: string, load: Load, { url, dataDir }: Place): Promise<Measured> {
  const { processes, clients, groups, total } = load;
  const share = String(Number(clients) / Number(processes));
  const args = [url, dataDir, share, values.seconds, groups, total];
  const before = readCpuOfChildren(process.pid);
  const found = await Promise.all(
    Array.from({ length: Number(processes) }, () =>
      run(`${root}/tests/bench/books/ledger-load.ts`, args),
    ),
  );
  const times = found.flatMap((result) => result.times);
  const cpuMicroseconds = found.reduce((sum, result) => sum + result.cpuMicroseconds, 0);
  return {
    rate: times.length / Number(values.seconds),
    p50: median(times),
    cpu: cpuMicroseconds / times.length,
    postgresCpu: (readCpuOfChildren(process.pid) - before) / times.length,
  };
}

type Found = Readonly<{ times: readonly number[]; cpuMicroseconds: number }>;

async function run(program: string, args: readonly string[]): Promise<Found> {
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
