import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import { type LoopDelay, toDelayFile } from './loop-delay.ts';
import type { ServerProcess } from './server-process.ts';

// At 100 s of cache each takes a minute and a half, most of it waiting for its turn.
const refreshesWanted = 2;

/** Asks for a short list all the time while the table is read anew, and reports what waited how long. */
export async function measureRefresh(server: ServerProcess, airtable: AirtableServer) {
  await warmUp(server);
  readLoopDelay(server.pid);
  await sleep(100);
  airtable.resetStats();
  let slowestMs = 0;
  const pagesWanted = refreshesWanted * 100;
  while (airtable.stats().pagesServed < pagesWanted) {
    const startedAt = performance.now();
    const response = await fetch(`${server.url}/api/v1/events?limit=20`);
    await response.arrayBuffer();
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    await sleep(2);
  }
  // The last page is in; the snapshot is made of it a moment later.
  await sleep(1500);
  process.kill(server.pid, 'SIGUSR2');
  await sleep(100);
  const refreshes = Math.floor(airtable.stats().pagesServed / 100);
  return { refreshes, ...readLoopDelay(server.pid), slowestMs };
}

// What the first requests cost (loading, compiling) is not what a refresh costs.
async function warmUp(server: ServerProcess): Promise<void> {
  for (let count = 0; count < 200; count++) {
    await (await fetch(`${server.url}/api/v1/events?limit=20`)).arrayBuffer();
  }
  process.kill(server.pid, 'SIGUSR2');
  await sleep(200);
}

function readLoopDelay(pid: number): LoopDelay {
  const file = toDelayFile(pid);
  const delay = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return delay;
}
