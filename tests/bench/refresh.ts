import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { type LoopDelay, toDelayFile } from './loop-delay.ts';
import type { ServerProcess } from './server-process.ts';

// At 100 s of cache each takes a minute and a half, most of it waiting for its turn.
const refreshesWanted = 2;
const pagesOfTable = 100;
/** The last page is in; the snapshot is made of it a moment later. */
const settlingMs = 1500;

type Held = LoopDelay & Readonly<{ slowestMs: number }>;

/**
 * Asks for a short list all the time, and reports what waited how long while the table was read anew, and
 * how long in between: that much is the machine's, or the requests' own.
 */
export async function measureRefresh(server: ServerProcess, airtable: AirtableServer) {
  const nothing: Held = { delayMs: 0, ownMs: 0, slowestMs: 0 };
  const held = { reading: nothing, between: nothing };
  let phase: keyof typeof held = 'between';
  let readingUntil = 0;
  let slowestMs = 0;
  await warmUp(server);
  airtable.resetStats();
  for (;;) {
    const now = performance.now();
    const pages = airtable.stats().pagesServed;
    if (pages % pagesOfTable > 0) readingUntil = now + settlingMs;
    const current = now < readingUntil ? 'reading' : 'between';
    if (current !== phase) {
      held[phase] = toWorst(held[phase], { ...(await takeLoopDelay(server)), slowestMs });
      [phase, slowestMs] = [current, 0];
    }
    const refreshes = pages / pagesOfTable;
    if (phase === 'between' && refreshes >= refreshesWanted) return { refreshes, ...held };
    const startedAt = performance.now();
    const response = await fetch(`${server.url}/api/v1/events?limit=20`);
    await response.arrayBuffer();
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    await sleep(2);
  }
}

function toWorst(a: Held, b: Held): Held {
  return {
    delayMs: Math.max(a.delayMs, b.delayMs),
    ownMs: Math.max(a.ownMs, b.ownMs),
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
  };
}

// What the first requests cost (loading, compiling) is not what a refresh costs.
async function warmUp(server: ServerProcess): Promise<void> {
  for (let count = 0; count < 200; count++) {
    await (await fetch(`${server.url}/api/v1/events?limit=20`)).arrayBuffer();
  }
  await takeLoopDelay(server);
}

async function takeLoopDelay(server: ServerProcess): Promise<LoopDelay> {
  process.kill(server.pid, 'SIGUSR2');
  await sleep(200);
  return readLoopDelay(server.pid);
}

function readLoopDelay(pid: number): LoopDelay {
  const file = toDelayFile(pid);
  const delay = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return delay;
}
