import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../server-process.ts';

export type MemoryMinute = Readonly<{
  minute: number;
  requests: number;
  /** How many of them the caller broke off. */
  left: number;
  /** Resident memory over the minute, MB. */
  median: number;
  most: number;
}>;

type Options = Readonly<{
  server: ServerProcess;
  /** What a caller may ask, one as often as the other. */
  asks: readonly Readonly<{ path: string; body: string }>[];
  headers: Readonly<Record<string, string>>;
  minutes: number;
  callers: number;
}>;

/** Callers who ask one thing after another and break off a third of them, at any moment; yields each minute. */
export async function* measureMemory(options: Options): AsyncGenerator<MemoryMinute> {
  const { server, asks, headers, minutes, callers } = options;
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + minutes * 60_000;
  let requests = 0;
  let left = 0;

  function askOnce({ path, body }: Options['asks'][number]): Promise<void> {
    return new Promise((resolve) => {
      requests += 1;
      const call = request(server.url + path, { agent, method: 'POST', headers }, (answer) =>
        answer.resume(),
      );
      if (Math.random() < 1 / 3) {
        left += 1;
        setTimeout(() => call.destroy(), Math.random() ** 3 * 1200);
      }
      call.on('error', () => {});
      call.on('close', resolve);
      call.end(body);
    });
  }

  async function call(): Promise<void> {
    while (performance.now() < endsAt) {
      const ask = asks[Math.floor(Math.random() * asks.length)];
      if (ask !== undefined) await askOnce(ask);
    }
  }

  const over = Promise.all(Array.from({ length: callers }, call));
  for (let minute = 1; minute <= minutes; minute += 1) {
    const before = { requests, left };
    const samples: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      await delay(1000);
      samples.push(server.memoryMb().now);
    }
    samples.sort((a, b) => a - b);
    yield {
      minute,
      requests: requests - before.requests,
      left: left - before.left,
      median: samples[30] ?? Number.NaN,
      most: samples.at(-1) ?? Number.NaN,
    };
  }
  await over;
  agent.destroy();
}
