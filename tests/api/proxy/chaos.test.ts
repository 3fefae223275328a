import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { faultTable } from '#lib/demo/models/faults/fault-models.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { setServices } from '#lib/services.ts';
import { measureRetainedBytes } from '../../support/collect-garbage.ts';
import {
  chatPath,
  type InProcessProxy,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../support/in-process-proxy.ts';

/** `npm run chaos` sends ten thousand. The seed is printed: with it a run can be had again. */
const requestsPerRun = Number(process.env.MARQUEE_CHAOS_REQUESTS ?? 1200);
const seed = Number(process.env.MARQUEE_CHAOS_SEED ?? Date.now() % 1_000_000);
const callersAtOnce = 24;
const dailyTokens = 900_000_000;

type Random = () => number;

const soundModels = ['lantern-demo/wick-3', 'lantern-demo/wick-3-mini', 'lantern-demo/wick-2'];
/** Names with a number after the colon: each number is a circuit of its own, so that no breaker opens. */
const faults = Object.keys(faultTable).map((name) => (random: Random) => {
  const number = Math.floor(random() * 1000);
  if (name === 'huge-frame') return `fault/huge-frame:${2_000_000 + number}`;
  if (name === 'slow') return `fault/slow:${number % 90}`;
  return name === 'pace' ? `fault/pace:${number % 7}` : `fault/${name}:${number}`;
});

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new RangeError('There is nothing to pick from.');
  return one;
}

/** How a caller behaves, by how often. */
const ways = [
  ...Array<'stay'>(6).fill('stay'),
  ...(['leave', 'leave', 'leave-in-stream', 'leave-upload', 'pipeline', 'bad-body'] as const),
  ...(['bad-key', 'bad-model'] as const),
];

async function behave(house: InProcessProxy, key: string, random: Random): Promise<void> {
  const path = pick(random, [chatPath, responsesPath]);
  const isStream = random() < 0.6;
  const model = random() < 0.5 ? pick(random, soundModels) : pick(random, faults)(random);
  const body = JSON.stringify(
    toRequestJson(path, model, isStream, `count to ${Math.floor(random() * 90)}`),
  );
  const afterMs = Math.floor(random() ** 2 * 60);
  switch (pick(random, ways)) {
    // What never ends is left at some time; what hangs is not waited for by everyone.
    case 'stay':
      return read(house.post(path, key, body, { signal: AbortSignal.timeout(1500) }));
    case 'leave':
      return read(house.post(path, key, body, { signal: AbortSignal.timeout(afterMs) }));
    case 'leave-in-stream': {
      const left = new AbortController();
      const { signal } = left;
      const response = await house.post(path, key, body, { signal }).catch(() => null);
      await response?.body
        ?.getReader()
        .read()
        .catch(() => {});
      left.abort();
      return;
    }
    case 'leave-upload':
      return sendRaw(house, toRaw(path, key, body).slice(0, -20), afterMs);
    case 'pipeline':
      return sendRaw(house, toRaw(path, key, body).repeat(3), afterMs);
    case 'bad-body':
      return read(house.post(path, key, body.slice(0, -3)));
    case 'bad-key':
      return read(house.post(path, `${key.slice(0, -1)}!`, body));
    case 'bad-model':
      return read(house.post(path, key, toRequestJson(path, 'no/such', isStream)));
  }
}

async function read(response: Promise<Response>): Promise<void> {
  await response.then((given) => given.bytes()).catch(() => {});
}

function toRaw(path: string, key: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function sendRaw({ port }: InProcessProxy, text: string, forMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().write(text);
  await once(socket, 'connect');
  await delay(forMs);
  socket.destroy();
}

/** Counts the requests that reach the proxy, and those that fail for their key. */
function countRequests({ services }: InProcessProxy) {
  const counts = { reached: 0, unauthorized: 0, open: 0 };
  const { aiProxy } = services;
  const counted = (generate: typeof aiProxy.completeChat) => async (request: Request) => {
    counts.reached += 1;
    counts.open += 1;
    try {
      return await generate(request);
    } catch (error) {
      if (isProxyError(error) && error.status === 401) counts.unauthorized += 1;
      throw error;
    } finally {
      counts.open -= 1;
    }
  };
  setServices({
    ...services,
    aiProxy: {
      ...aiProxy,
      completeChat: counted(aiProxy.completeChat),
      createResponse: counted(aiProxy.createResponse),
    },
  });
  return counts;
}

/** Tokens that a key may still use beside what this very request holds. */
async function readTokensLeft(house: InProcessProxy, key: string): Promise<number> {
  const response = await house.post(chatPath, key, toRequestJson(chatPath, 'lantern-demo/wick-2'));
  await response.text();
  return Number(response.headers.get('x-ratelimit-remaining-tokens'));
}

async function sumUsage({ database, register }: InProcessProxy, key: string) {
  const { id } = await register.find(key);
  const sums = await database.usage.sumByDayAndModel(id, '2000-01-01');
  return {
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
    tokens: sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0),
  };
}

test.each(['native', 'chat'])(
  'whatever callers and the upstream do (%s), each request is counted once and nothing stays open',
  async (kind) => {
    const random = createRandom(seed);
    // Noon: no run goes over midnight, when budgets begin anew.
    const noon = Date.parse('2026-03-10T12:00:00Z') - performance.now();
    await using house = await startInProcessProxy({
      environment: {
        AI_UPSTREAM_RESPONSES: kind,
        PROXY_TIMEOUT_SECONDS: '1',
        PROXY_TOKENS_PER_DAY: String(dailyTokens),
      },
      now: () => Math.floor(noon + performance.now()),
    });
    const counts = countRequests(house);
    const free = (await house.makeKey()).text;
    const hurried = (await house.makeKey({ requestsPerMinute: 50 })).text;
    const poor = (await house.makeKey({ tokensPerDay: 60_000 })).text;
    const keys = [free, free, free, hurried, poor];
    let left = Math.ceil(requestsPerRun / 2);
    let keptBytes = 0;

    async function call(): Promise<void> {
      while (left > 0) {
        left -= 1;
        await behave(house, pick(random, keys), random);
      }
    }
    async function callMany(count: number): Promise<void> {
      left = count;
      await Promise.all(Array.from({ length: callersAtOnce }, call));
      await vi.waitFor(() => expect(counts.open).toBe(0), { timeout: 10_000 });
      await vi.waitFor(() => expect(house.modelServer.stats().openRequests).toBe(0), {
        timeout: 10_000,
      });
    }

    const all = Math.ceil(requestsPerRun / 2);
    await callMany(Math.ceil(all / 2));
    keptBytes = await measureRetainedBytes();
    await callMany(Math.floor(all / 2));
    const grownBytes = (await measureRetainedBytes()) - keptBytes;

    const fresh = (await house.makeKey()).text;
    const [before, after] = [await readTokensLeft(house, fresh), await readTokensLeft(house, free)];
    await house.services.aiProxy.close();
    const own = await sumUsage(house, fresh);
    const sums = await Promise.all([free, hurried, poor].map((key) => sumUsage(house, key)));
    const [ofFree] = sums;

    const recorded = sums.reduce((sum, { requests }) => sum + requests, own.requests);
    const shown = `${kind}, seed ${seed}: ${counts.reached} requests, ${counts.unauthorized} without a key in force, ${recorded} records, ${ofFree?.tokens} tokens of one key, ${grownBytes} bytes kept`;
    if (process.env.MARQUEE_CHAOS_REQUESTS !== undefined) process.stdout.write(`${shown}\n`);
    expect(counts.reached, shown).toBeGreaterThan(all / 2);
    expect(counts.unauthorized, shown).toBeGreaterThan(0);
    expect(recorded, shown).toBe(counts.reached - counts.unauthorized);
    // The budget that the proxy keeps in memory is what its records say; nothing is held any more.
    expect(before - after, shown).toBe((ofFree?.tokens ?? 0) - own.tokens);
    expect(sums[2]?.tokens, shown).toBeGreaterThan(0);
    expect(grownBytes, shown).toBeLessThan(24 * 1024 * 1024);
    expect(house.logText()).not.toMatch(new RegExp(`internal_error|usage_lost|${upstreamKey}`));
  },
  600_000,
);
