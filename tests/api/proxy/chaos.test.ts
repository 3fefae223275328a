import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { faultTable } from '#lib/demo/models/faults/fault-models.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { measureRetainedBytes } from '../../support/collect-garbage.ts';
import { countRequests } from '../../support/servers/count-requests.ts';
import {
  chatPath,
  type InProcessProxy,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../support/servers/in-process-proxy.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** `npm run chaos` sends ten thousand. The printed seed repeats a run. */
const requestsPerRun = Number(process.env.MARQUEE_CHAOS_REQUESTS ?? 1200);
const seed = Number(process.env.MARQUEE_CHAOS_SEED ?? Date.now() % 1_000_000);
const concurrentClients = 24;
const dailyTokens = 900_000_000;

type Random = () => number;

const demoModels = ['lantern-demo/wick-3', 'lantern-demo/wick-3-mini', 'lantern-demo/wick-2'];
/** Calls whose first byte is late go on for minutes: running-requests.test.ts. */
const names = Object.keys(faultTable).filter((name) => name !== 'hang' && name !== 'hang-headers');
/** The number after the colon makes each its own circuit, so that no circuit breaker opens. */
const faults = names.map((name) => (random: Random) => {
  const number = Math.floor(random() * 1000);
  if (name === 'huge-frame') return `fault/huge-frame:${2_000_000 + number}`;
  if (name === 'slow') return `fault/slow:${number % 90}`;
  return name === 'pace' ? `fault/pace:${number % 7}` : `fault/${name}:${number}`;
});

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new RangeError('Nothing to pick from.');
  return one;
}

/** What a client does, repeated by frequency. */
const behaviours = [
  ...Array<'stay'>(6).fill('stay'),
  ...(['leave', 'leave', 'leave-in-stream', 'leave-upload', 'pipeline', 'bad-body'] as const),
  ...(['bad-key', 'bad-model'] as const),
];

async function runClient(proxy: InProcessProxy, key: string, random: Random): Promise<void> {
  const path = pick(random, [chatPath, responsesPath]);
  const model = random() < 0.5 ? pick(random, demoModels) : pick(random, faults)(random);
  // A JSON call whose client has left goes on for minutes: running-requests.test.ts.
  const isStream = /hang|endless/.test(model) || random() < 0.6;
  const body = JSON.stringify(
    toRequestJson(path, model, isStream, `count to ${Math.floor(random() * 90)}`),
  );
  const afterMs = Math.floor(random() ** 2 * 60);
  switch (pick(random, behaviours)) {
    // Aborts endless and hanging responses too.
    case 'stay':
      return read(proxy.post(path, key, body, { signal: AbortSignal.timeout(1500) }));
    case 'leave':
      return read(proxy.post(path, key, body, { signal: AbortSignal.timeout(afterMs) }));
    case 'leave-in-stream': {
      const client = new AbortController();
      const { signal } = client;
      const response = await proxy.post(path, key, body, { signal }).catch(() => null);
      await response?.body
        ?.getReader()
        .read()
        .catch(() => {});
      client.abort();
      return;
    }
    case 'leave-upload':
      return sendRaw(proxy, toRaw(path, key, body).slice(0, -20), afterMs);
    case 'pipeline':
      return sendRaw(proxy, toRaw(path, key, body).repeat(3), afterMs);
    case 'bad-body':
      return read(proxy.post(path, key, body.slice(0, -3)));
    case 'bad-key':
      return read(proxy.post(path, `${key.slice(0, -1)}!`, body));
    case 'bad-model':
      return read(proxy.post(path, key, toRequestJson(path, 'no/such', isStream)));
  }
}

async function read(response: Promise<Response>): Promise<void> {
  await response.then((received) => received.bytes()).catch(() => {});
}

function toRaw(path: string, key: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function sendRaw({ port }: InProcessProxy, text: string, durationMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().write(text);
  await once(socket, 'connect');
  await delay(durationMs);
  socket.destroy();
}

/** The tokens that a key has left, less the reservation of the request that asks, and what that one used. */
async function readTokensLeft(proxy: InProcessProxy, key: string) {
  for (;;) {
    const body = toRequestJson(chatPath, 'lantern-demo/wick-2');
    const response = await proxy.post(chatPath, key, body);
    const { usage } = await response.json();
    const left = Number(response.headers.get('x-ratelimit-remaining-tokens'));
    // On a busy machine a reply may take longer than the second that it has here.
    if (response.ok) return { left, tokens: Number(usage.total_tokens) };
  }
}

async function sumUsage({ database, register }: InProcessProxy, key: string) {
  const { id } = await register.find(key);
  const sums = await database.usage.sumByDayAndModel(id, '2000-01-01');
  const rejections = await database.rejections.sum('2000-01-01', id);
  return {
    rejected: rejections.reduce((sum, { count }) => sum + count, 0),
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
    tokens: sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0),
  };
}

/** Both are the model server: one with Responses, which is left after 0.4 s, and one with chat only. */
function toTwoUpstreams(url: string, folder: string): Environment {
  const keyEnv = 'CHAOS_KEY';
  const north = {
    name: 'north',
    protocols: ['chat', 'responses'],
    timeoutSeconds: { firstByte: 0.4 },
  };
  const south = { name: 'south', protocols: ['chat'] };
  const path = join(folder, 'upstreams.json');
  const upstreams = [north, south].map((one) => ({ ...one, url, keyEnv }));
  writeFileSync(path, JSON.stringify({ upstreams }));
  return {
    ...{ AI_UPSTREAM_URL: '', AI_UPSTREAM_KEY: '' },
    ...{ AI_UPSTREAMS_FILE: path, CHAOS_KEY: upstreamKey },
  };
}

const kinds = ['native', 'chat', 'two upstreams'] as const;

test.each(kinds)(
  'whatever clients and the upstream do (%s), each request is recorded or counted once, and nothing stays open',
  async (kind) => {
    const random = createRandom(seed);
    // Noon, since budgets are reset at midnight.
    const noon = Date.parse('2026-03-10T12:00:00Z') - performance.now();
    await using proxy = await startInProcessProxy({
      environment: ({ url }) => ({
        ...(kind === 'two upstreams'
          ? toTwoUpstreams(url, makeTestFolder())
          : { AI_UPSTREAM_RESPONSES: kind }),
        PROXY_TIMEOUT_SECONDS: '1',
        PROXY_TOKENS_PER_DAY: String(dailyTokens),
      }),
      now: () => Math.floor(noon + performance.now()),
    });
    const counts = countRequests(proxy);
    const free = (await proxy.makeKey()).text;
    const hurried = (await proxy.makeKey({ requestsPerMinute: 50 })).text;
    const poor = (await proxy.makeKey({ tokensPerDay: 60_000 })).text;
    const keys = [free, free, free, hurried, poor];
    let left = 0;
    let retainedBytes = 0;

    async function runRequests(): Promise<void> {
      while (left > 0) {
        left -= 1;
        await runClient(proxy, pick(random, keys), random);
      }
    }
    async function sendRequests(count: number): Promise<void> {
      left = count;
      await Promise.all(Array.from({ length: concurrentClients }, runRequests));
      await expect.poll(() => counts.open).toBe(0);
      await expect.poll(() => proxy.modelServer.stats().openRequests).toBe(0);
    }

    const all = Math.ceil(requestsPerRun / kinds.length);
    await sendRequests(Math.ceil(all / 2));
    retainedBytes = await measureRetainedBytes();
    await sendRequests(Math.floor(all / 2));
    const grownBytes = (await measureRetainedBytes()) - retainedBytes;

    const fresh = (await proxy.makeKey()).text;
    // The first prompt of a key is reserved as more than it needs.
    await readTokensLeft(proxy, fresh);
    const [before, after] = [await readTokensLeft(proxy, fresh), await readTokensLeft(proxy, free)];
    await proxy.services.aiProxy.close();
    const own = await sumUsage(proxy, fresh);
    const sums = await Promise.all([free, hurried, poor].map((key) => sumUsage(proxy, key)));
    const [ofFree] = sums;

    const recorded = sums.reduce((sum, { requests }) => sum + requests, own.requests);
    const rejected = sums.reduce((sum, { rejected }) => sum + rejected, own.rejected);
    const shown = `${kind}, seed ${seed}: ${counts.reached} requests, ${counts.unauthorized} without a valid key, ${recorded} records, ${rejected} rejected, ${ofFree?.tokens} tokens of one key, ${grownBytes} bytes retained`;
    if (process.env.MARQUEE_CHAOS_REQUESTS !== undefined) process.stdout.write(`${shown}\n`);
    expect(counts.reached, shown).toBeGreaterThan(all / 2);
    expect(counts.unauthorized, shown).toBeGreaterThan(0);
    // A target that failed after it was called has a record of its own.
    const least = counts.reached - counts.unauthorized;
    if (kind === 'two upstreams') expect(recorded + rejected, shown).toBeGreaterThanOrEqual(least);
    else expect(recorded + rejected, shown).toBe(least);
    expect(rejected, shown).toBeGreaterThan(0);
    // The budget in memory equals the records, so no reservation is left.
    const usedByFree = (ofFree?.tokens ?? 0) - after.tokens;
    expect(before.left - after.left, shown).toBe(usedByFree - (own.tokens - before.tokens));
    expect(sums[2]?.tokens, shown).toBeGreaterThan(0);
    expect(grownBytes, shown).toBeLessThan(24 * 1024 * 1024);
    expect(/fails over/.test(proxy.logText()), shown).toBe(kind === 'two upstreams');
    expect(proxy.logText()).not.toMatch(
      new RegExp(`internal_error|usage_not_stored|${upstreamKey}`),
    );
  },
  600_000,
);
