import { setTimeout as delay } from 'node:timers/promises';
import type { TestAirtable } from '../../support/airtable/test-airtable.ts';
import { format, formatTarget, printTable } from '../figures.ts';
import type { LoopDelay } from '../loop-delay.ts';
import { type Checkouts, listVersions, startCheckout } from '../servers/checkout.ts';
import { startEventsTable } from '../servers/events-table.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { loopDelayPreload, takeLoopDelay } from '../take-loop-delay.ts';

const pagesOfTable = 100;
/** Reading 100 pages takes more than 20 s at the upstream's pace; a refresh starts at three quarters. */
const cacheSeconds = '100';
/** After the last page, the snapshot is built. */
const buildMs = 1500;

type Held = LoopDelay & Readonly<{ slowestMs: number }>;

/** How long refreshes of 10,000 rows hold the event loop, and how much memory they take. */
export async function benchRefresh(checkouts: Checkouts, refreshes: number) {
  const rows: string[][] = [];
  for (const [version, checkout] of listVersions(checkouts)) {
    const { airtable, environment } = await startEventsTable(10_000);
    const server = await startCheckout(checkout, {
      environment: { ...environment, EVENTS_CACHE_SECONDS: cacheSeconds },
      path: '/api/v1/events?limit=1',
      preload: loopDelayPreload,
    });
    const held = await measureRefreshes(server, airtable, refreshes);
    const { now, peak } = server.memoryMb();
    rows.push(
      ...Object.entries(held).map(([phase, { cpuMs, delayMs, slowestMs }]) => [
        version,
        phase,
        format(cpuMs, 1),
        phase === 'refresh' ? formatTarget(cpuMs, { atMost: 50 }) : '',
        format(delayMs, 1),
        format(slowestMs, 1),
        String(now),
        String(peak),
        formatTarget(now, { atMost: 400 }),
      ]),
    );
    await server.stop();
    await airtable.close();
  }
  const headings = ['version', `${refreshes} × 10,000 rows`, 'loop held ms', 'target'];
  const others = ['with other processes', 'slowest request ms', 'RSS MB', 'peak', 'target'];
  printTable([...headings, ...others], rows);
}

/** Sends one request after the other, and reads the loop's delays whenever a refresh starts or ends. */
async function measureRefreshes(
  server: ServerProcess,
  airtable: TestAirtable,
  refreshes: number,
): Promise<Record<'refresh' | 'between', Held>> {
  const none: Held = { delayMs: 0, cpuMs: 0, slowestMs: 0 };
  const held = { refresh: none, between: none };
  let phase: keyof typeof held = 'between';
  let refreshUntil = 0;
  let slowestMs = 0;
  for (let count = 0; count < 200; count++) await measureRequest(server);
  await takeLoopDelay(server);
  airtable.resetStats();
  for (;;) {
    const pages = airtable.stats().pagesServed;
    if (pages % pagesOfTable > 0) refreshUntil = performance.now() + buildMs;
    const current = performance.now() < refreshUntil ? 'refresh' : 'between';
    if (current !== phase) {
      held[phase] = toWorst(held[phase], { ...(await takeLoopDelay(server)), slowestMs });
      [phase, slowestMs] = [current, 0];
    }
    if (phase === 'between' && pages >= refreshes * pagesOfTable) return held;
    slowestMs = Math.max(slowestMs, await measureRequest(server));
    await delay(2);
  }
}

async function measureRequest(server: ServerProcess): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`${server.url}/api/v1/events?limit=20`)).arrayBuffer();
  return performance.now() - startedAt;
}

function toWorst(a: Held, b: Held): Held {
  return {
    delayMs: Math.max(a.delayMs, b.delayMs),
    cpuMs: Math.max(a.cpuMs, b.cpuMs),
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
  };
}
