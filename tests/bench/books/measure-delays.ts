import { setTimeout as delay } from 'node:timers/promises';
import { postJson } from '../../support/clients/post-json.ts';
import { format, percentile } from '../figures.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { takeLoopDelay } from '../take-loop-delay.ts';

export const delayHeads = [
  ...['health p50', 'p99', 'max'],
  ...['proxied p50', 'p99', 'max'],
  ...['loop held', 'of it CPU'],
  ...['errors', 'took s', 'kB'],
];

type Target = Readonly<{ server: Pick<ServerProcess, 'url' | 'pid'>; key: string }>;

/** How long `/health`, proxied requests and a turn of the event loop take during a work: columns of `delayHeads`. */
export async function measureDelays(
  { server, key }: Target,
  /** It may tell how many bytes it has read. */
  work: () => Promise<unknown>,
): Promise<string[]> {
  let isDone = false;
  let errors = 0;
  const watch = async (request: () => Promise<Response>, everyMs: number) => {
    const times: number[] = [];
    while (!isDone) {
      const startedAt = performance.now();
      const response = await request();
      await response.text();
      if (!response.ok) errors += 1;
      times.push(performance.now() - startedAt);
      await delay(everyMs);
    }
    return times;
  };
  const health = watch(() => fetch(`${server.url}/health/live`), 5);
  const body = { model: 'lantern-demo/wick-3', messages: [{ role: 'user', content: 'Hello' }] };
  const proxied = watch(() => postJson(`${server.url}/proxy/v1/chat/completions`, key, body), 20);
  await takeLoopDelay(server);
  const startedAt = performance.now();
  // A failure is that of the work, not of requests that its end cuts off.
  const result = await work().finally(async () => {
    isDone = true;
    await Promise.allSettled([health, proxied]);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { delayMs, cpuMs } = await takeLoopDelay(server);
  const held = [delayMs, cpuMs].map((ms) => format(ms, 1));
  const figures = [await health, await proxied].flatMap((times) =>
    [0.5, 0.99, 1].map((share) => format(percentile(times, share), 1)),
  );
  return [...figures, ...held, String(errors), seconds, toKilobytes(result)];
}

function toKilobytes(bytes: unknown): string {
  return typeof bytes === 'number' ? format(bytes / 1000) : '';
}
