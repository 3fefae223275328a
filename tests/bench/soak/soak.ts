import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '#lib/cli/build/build-if-needed.ts';
import { print, startCommand } from '#lib/cli/command.ts';
import { requirePrograms } from '../../programs.ts';
import { printTable } from '../figures.ts';
import { type AlertRow, readAlerts } from './alerts.ts';
import { runModelClient, runVisitor, type Usage } from './clients.ts';
import { type Answers, askDashboard } from './dashboard.ts';
import { toFaults } from './faults.ts';
import { type RunningFleet, startFleet } from './fleet.ts';
import { type Growth, watchGrowth } from './growth.ts';
import { createObservations, type FaultWindow, type Observations } from './observations.ts';

const visitors = 6;
const modelClients = 8;
const ageMaxSeconds = 300;
const coldStartMs = 10_000;
/** Instances that get all of the load at once before they have rendered a page shed some of it. */
const coldStart: FaultWindow = { name: 'start', expects: ({ status }) => status === 503 };

/**
 * `npm run soak -- --minutes 30`: two instances behind nginx under a mixed load. For two thirds of the time one
 * thing after the other goes wrong, and then all at once: what the dashboard and the alerts say of it is asked of
 * Prometheus. In the last third nothing does, and memory must not grow. With 30 minutes each fault lasts half a minute,
 * long enough for alerts; with fewer, none may fire.
 */
async function soakCommand(args: readonly string[]): Promise<number> {
  const options = { minutes: { type: 'string', default: '10' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const seconds = Number(values.minutes) * 60;
  if (!(seconds >= 60)) throw new Error('--minutes is 1 or more.');
  requirePrograms(['nginx', 'openssl', 'postgres', 'prometheus']);
  await buildIfNeeded();
  const fleet = await startFleet();
  try {
    return (await soak(fleet, seconds)) ? 0 : 1;
  } finally {
    await fleet.close();
  }
}

/** Whether all is well. */
async function soak(fleet: RunningFleet, seconds: number): Promise<boolean> {
  const observations = createObservations();
  const load = new AbortController();
  const { url, certificate } = fleet;
  const options = { url, certificate, observations, signal: load.signal };
  const clients = (await fleet.createKeys(modelClients)).map((key, number) => {
    const usage: Usage = { sent: 0, certain: 0 };
    return { key, number, usage };
  });
  const running = Promise.all([
    ...Array.from({ length: visitors }, (_, number) => runVisitor(options, number)),
    ...clients.map((client) => runModelClient(options, client)),
  ]);
  observations.begin(coldStart);
  await delay(coldStartMs);
  const alerts = await runFaults(fleet, observations, (seconds * 2) / 3);
  const answers = await askDashboard(fleet.prometheus);
  const lastThird = AbortSignal.timeout((seconds / 3) * 1000);
  const sinceMs = performance.now();
  const growth = await watchGrowth(fleet.instances, lastThird);
  const calm = { name: 'none', alerts: [] };
  alerts.push(await readAlerts(fleet.prometheus, calm, { sinceMs, isLong: true }));
  load.abort();
  await running;
  // Writes what is queued.
  for (const instance of fleet.instances) await instance.end('SIGTERM');
  const usage = toUsageSums(
    clients.map((client) => client.usage),
    await fleet.countUsage(),
  );
  const drifts = await fleet.countDrifts();
  return report({ fleet, observations, growth, usage, drifts, answers, alerts });
}

/** Long enough for an alert. */
const faultMaxMs = 30_000;
const recoveryMs = 60_000;

/** One fault after the other, each for a third of its time: the rest is for what recovers. */
async function runFaults(
  fleet: RunningFleet,
  observations: Observations,
  seconds: number,
): Promise<AlertRow[]> {
  const faults = toFaults(fleet);
  const rounds = Math.max(
    1,
    Math.floor((seconds * 1000) / faults.length / (faultMaxMs + recoveryMs)),
  );
  const eachMs = (seconds * 1000) / rounds / faults.length;
  const faultMs = Math.min(faultMaxMs, eachMs / 3);
  const rows: AlertRow[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const fault of faults) {
      const begunAt = performance.now();
      observations.begin(fault);
      await fault.start();
      await delay(faultMs);
      await fault.stop();
      // What began during the fault may still end in its error.
      await delay(Math.max(0, begunAt + eachMs - performance.now()));
      const isLong = faultMs >= faultMaxMs;
      rows.push(await readAlerts(fleet.prometheus, fault, { sinceMs: begunAt, isLong }));
    }
  }
  observations.begin(null);
  return rows;
}

type UsageSums = Readonly<{ sent: number; records: number; lost: number; doubled: number }>;

function toUsageSums(clients: readonly Usage[], records: readonly number[]): UsageSums {
  const sums = { sent: 0, records: 0, lost: 0, doubled: 0 };
  for (const [index, { sent, certain }] of clients.entries()) {
    const count = records[index] ?? 0;
    sums.sent += sent;
    sums.records += count;
    sums.lost += Math.max(0, certain - count);
    sums.doubled += Math.max(0, count - sent);
  }
  return sums;
}

type Report = Readonly<{
  fleet: RunningFleet;
  observations: Observations;
  growth: readonly Growth[];
  usage: UsageSums;
  /** Balances that differ from the records. */
  drifts: number;
  answers: Answers;
  alerts: readonly AlertRow[];
}>;

function report(results: Report): boolean {
  const { fleet, observations, answers, alerts } = results;
  printTable(
    ['fault', 'requests', 'errors', 'unexpected'],
    observations
      .rows()
      .map(({ fault, ...row }) => [
        fault,
        ...[row.requests, row.errors, row.unexpected].map(String),
      ]),
  );
  printTable(
    ['the dashboard, when all went wrong', 'answer'],
    answers.rows.map(([...row]) => row),
  );
  printTable(
    ['fault', 'alerts that began', ''],
    alerts.map(({ fault, alerts: names, isTrue }) => [fault, names, isTrue ? 'ok' : 'FAILED']),
  );
  if (fleet.smallDisk === null) {
    print(process.stdout, '\nThe disk was not filled: that takes root.');
  }
  const checks = toChecks(results);
  printTable(
    ['check', 'result', ''],
    checks.map(([name, result, isOk]) => [name, result, isOk ? 'ok' : 'FAILED']),
  );
  for (const text of observations.unexpected()) print(process.stdout, `  ${text}`);
  print(process.stdout, `\nLogs: ${fleet.logFiles.join(', ')}`);
  return checks.every(([, , isOk]) => isOk);
}

type CheckRow = readonly [name: string, result: string, isOk: boolean];

function toChecks({ observations, growth, usage, drifts, answers, alerts }: Report): CheckRow[] {
  const unexpected = observations.unexpected();
  const oldest = observations.oldest();
  const untrue = alerts.filter(({ isTrue }) => !isTrue).map(({ fault }) => fault);
  return [
    ['unexpected errors', String(unexpected.length), unexpected.length === 0],
    [
      'oldest answer, with caches',
      `${oldest.seconds.toFixed(0)} s (${oldest.fault})`,
      oldest.seconds <= ageMaxSeconds,
    ],
    ['panels without an answer', answers.empty.join(', ') || 'none', answers.empty.length === 0],
    ['usage records', `${usage.records} of ${usage.sent} requests`, true],
    ['usage records lost', String(usage.lost), usage.lost === 0],
    ['usage records doubled', String(usage.doubled), usage.doubled === 0],
    ['balances that differ', String(drifts), drifts === 0],
    ['faults with other alerts', untrue.join(', ') || 'none', untrue.length === 0],
    ...growth.map(({ instance, memoryMb, descriptors, isGrowing }) => {
      const figures = `${memoryMb.join(' → ')} MB, ${descriptors.join(' → ')} descriptors`;
      return [`${instance} in the last third`, figures, !isGrowing] satisfies CheckRow;
    }),
  ];
}

await startCommand(soakCommand);
