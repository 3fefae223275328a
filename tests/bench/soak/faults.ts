import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { TestAirtable } from '../../support/airtable/test-airtable.ts';
import type { TestModels } from '../../support/models/test-models.ts';
import type { PostgresServer } from '../../support/programs/postgres.ts';
import type { Instance } from './instance.ts';
import type { FaultWindow, Outcome } from './observations.ts';

export type Fleet = Readonly<{
  instances: readonly [Instance, Instance];
  postgres: PostgresServer;
  table: TestAirtable;
  models: TestModels;
  /** A small file system that is the first instance's DATA_DIR; null: it takes root to make one. */
  smallDisk: string | null;
}>;

export type FaultCase = FaultWindow &
  Readonly<{
    /** Which alerts half a minute of it causes, each once. */
    alerts: readonly string[];
    /** Which it may cause besides. */
    mayAlert?: readonly string[];
    start: () => void | Promise<void>;
    stop: () => void | Promise<void>;
  }>;

const nothing = () => false;
const isProxy = ({ area }: Outcome) => area === 'proxy';
/** The database decides whether a key is valid: without it, a key not seen lately gets a 503. */
const isUnavailable = (outcome: Outcome) => isProxy(outcome) && outcome.status === 503;
/** Streams are cut, and requests whose response had not begun get nginx’s 502. GETs go to the other instance. */
const isOfKill = (outcome: Outcome) =>
  outcome.status === null ||
  outcome.detail === 'cut' ||
  (isProxy(outcome) && outcome.status === 502);

/** Everything that goes wrong, and which errors clients may see of it. */
export function toFaults(fleet: Fleet): readonly FaultCase[] {
  const { instances, postgres, table, models, smallDisk } = fleet;
  const [first, second] = instances;
  const faults: FaultCase[] = [
    {
      name: 'PostgreSQL restarts',
      expects: isUnavailable,
      alerts: ['MarqueeCheckFails'],
      start: postgres.kill,
      stop: postgres.start,
    },
    {
      name: 'PostgreSQL is frozen',
      expects: isUnavailable,
      alerts: ['MarqueeCheckFails'],
      start: postgres.freeze,
      stop: postgres.thaw,
    },
    {
      name: 'kill -9 of an instance',
      expects: isOfKill,
      alerts: ['MarqueeNotReady'],
      start: () => first.end('SIGKILL'),
      stop: first.start,
    },
    {
      name: 'kill -9 of a worker',
      expects: isOfKill,
      alerts: [],
      start: first.killWorker,
      stop() {},
    },
    {
      name: 'rolling restart',
      expects: nothing,
      alerts: [],
      // Where others use the machine, a start takes longer than half a minute.
      mayAlert: ['MarqueeNotReady'],
      async start() {
        await first.end('SIGTERM');
        await first.start();
        await second.end('SIGTERM');
        await second.start();
      },
      stop() {},
    },
    {
      name: 'Airtable answers 429',
      expects: nothing,
      alerts: [],
      // If a refresh is due. Before the next one succeeds, the events are older than 240 seconds.
      mayAlert: ['MarqueeTableNotRead', 'MarqueeEventsTooOld'],
      start: () => table.setFault({ kind: '429' }),
      stop: () => table.setFault(null),
    },
    {
      name: 'the model upstream hangs',
      expects: (outcome) => isProxy(outcome) && (outcome.status ?? 0) >= 500,
      alerts: [],
      start: () => models.setPathFault({ path: '/chat/completions', name: 'hang', times: 8 }),
      stop: () => models.setPathFault(null),
    },
    toBusyMachine(),
  ];
  if (smallDisk === null) return [...faults, toAllAtOnce(fleet, faults)];
  const filling = join(smallDisk, 'filling');
  const diskFull: FaultCase = {
    name: 'the disk is full',
    expects: isUnavailable,
    alerts: ['MarqueeCheckFails'],
    start: () => fill(filling, smallDisk),
    stop: () => rmSync(filling, { force: true }),
  };
  return [...faults, diskFull, toAllAtOnce(fleet, [...faults, diskFull])];
}

/** Programs that want much more than the machine has. Requests are late, and some are turned away. */
function toBusyMachine(): FaultCase {
  let programs: readonly ChildProcess[] = [];
  return {
    name: 'the machine is busy',
    expects: ({ status }) => status === 503,
    alerts: [],
    start() {
      programs = Array.from({ length: 4 * availableParallelism() }, () =>
        spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
      );
    },
    stop() {
      for (const program of programs) program.kill();
    },
  };
}

/** Those that last, together, and an instance is killed meanwhile. */
function toAllAtOnce({ instances }: Fleet, faults: readonly FaultCase[]): FaultCase {
  const lasting = faults.filter(({ name }) => !/restart|kill/.test(name));
  const [first] = instances;
  return {
    name: 'all at once',
    expects: (outcome) =>
      outcome.status === null ||
      (isProxy(outcome) && (outcome.status >= 500 || outcome.detail !== '')),
    alerts: ['MarqueeCheckFails'],
    // The table may not have been read for four minutes.
    mayAlert: [
      'MarqueeNotReady',
      'MarqueeTableNotRead',
      'MarqueeEventsTooOld',
      'MarqueeUpstreamFails',
    ],
    async start() {
      for (const fault of lasting) await fault.start();
      await first.end('SIGKILL');
      await first.start();
    },
    async stop() {
      for (const fault of lasting) await fault.stop();
    },
  };
}

function fill(path: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(path, Buffer.alloc(bavail * bsize));
  } catch {
    // What was left is taken.
  }
}
