import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../figures.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export type MemoryMinute = Readonly<{
  minute: number;
  sent: number;
  /** Requests whose client disconnected before the end. */
  disconnected: number;
  /** Resident memory over the minute. */
  medianMb: number;
  peakMb: number;
}>;

type Options = Readonly<{
  server: ServerProcess;
  /** Chosen from at random. */
  requests: readonly Readonly<{ path: string; body: string }>[];
  headers: Readonly<Record<string, string>>;
  minutes: number;
  clients: number;
}>;

/** Clients send one request after the other and break off a third of them; yields after each minute. */
export async function* watchMemory(options: Options): AsyncGenerator<MemoryMinute> {
  const { server, requests, headers, minutes, clients } = options;
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + minutes * 60_000;
  let [sent, disconnected] = [0, 0];

  function sendOne({ path, body }: Options['requests'][number]): Promise<void> {
    return new Promise((resolve) => {
      sent++;
      const outgoing = request(server.url + path, { agent, method: 'POST', headers }, (response) =>
        response.resume(),
      );
      if (Math.random() < 1 / 3) {
        disconnected++;
        setTimeout(() => outgoing.destroy(), Math.random() ** 3 * 1200);
      }
      outgoing.on('error', () => {});
      outgoing.on('close', resolve);
      outgoing.end(body);
    });
  }

  async function runClient(): Promise<void> {
    while (performance.now() < endsAt) {
      const chosen = requests[Math.floor(Math.random() * requests.length)];
      if (chosen !== undefined) await sendOne(chosen);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, runClient));
  for (let minute = 1; minute <= minutes; minute++) {
    const before = { sent, disconnected };
    const samples: number[] = [];
    for (let second = 0; second < 60; second++) {
      await delay(1000);
      samples.push(server.memoryMb().now);
    }
    yield {
      minute,
      sent: sent - before.sent,
      disconnected: disconnected - before.disconnected,
      medianMb: median(samples),
      peakMb: Math.max(...samples),
    };
  }
  await running;
  agent.destroy();
}
