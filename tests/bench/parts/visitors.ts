import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readMainThread, type ServerProcess } from '../servers/server-process.ts';

/** How long a visitor waits: by the clock, and by the CPU time of the server's thread. */
export type Wait = Readonly<{ clockMs: number; serverMs: number }>;

export type Visit = Readonly<{ name: string; path: string }>;
type Visits = Readonly<{ url: string; pid: number; path: string; seconds: number; from: number }>;

let visitors = 0;

/**
 * Visitors one after the other, each with an address of their own: on a thread, so that they do not wait for the client
 * that loads the server.
 * @param path of the page; `{visitor}` is another one for each.
 */
export async function visitFor(
  { url, pid }: ServerProcess,
  { path }: Visit,
  seconds: number,
): Promise<Wait[]> {
  const visits: Visits = { url, pid, path, seconds, from: visitors };
  const worker = new Worker(new URL(import.meta.url), { workerData: visits });
  const waits = await new Promise<Wait[]>((resolve, reject) => {
    worker.on('message', resolve).on('error', reject);
  });
  visitors += waits.length;
  return waits;
}

async function visit({ url, pid, path, seconds, from }: Visits): Promise<Wait[]> {
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + seconds * 1000;
  const waits: Wait[] = [];
  while (performance.now() < endsAt) {
    const visitor = from + waits.length;
    const [startedAt, usedBefore] = [performance.now(), readMainThread(pid)];
    const target = new URL(path.replace('{visitor}', String(visitor)), url);
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' };
    const forwarded = { 'X-Forwarded-For': `203.0.113.${visitor % 250}` };
    await new Promise<void>((resolve, reject) => {
      request(target, { agent, headers: { ...headers, ...forwarded } }, (response) => {
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
    const clockMs = performance.now() - startedAt;
    waits.push({ clockMs, serverMs: readMainThread(pid) - usedBefore });
    await delay(5);
  }
  agent.destroy();
  return waits;
}

if (!isMainThread) parentPort?.postMessage(await visit(workerData));
