import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { pick, type Random, startNoonClock } from '../../../support/chaos.ts';
import { faultTable } from '../../../support/models/fault-models.ts';
import { seed } from '../../../support/seed.ts';
import { countRequests } from '../../../support/servers/count-requests.ts';
import {
  chatPath,
  type InProcessProxy,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
  upstreamKey,
} from '../../../support/servers/in-process-proxy.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

/** `npm run chaos` sends ten thousand. The printed seed repeats a run. */
const requestsPerRun = Number(process.env.MARQUEE_CHAOS_REQUESTS ?? 1200);
const concurrentClients = 24;
const dailyTokens = 900_000_000;

const demoModels = ['lantern-demo/wick-3', 'lantern-demo/wick-3-mini', 'lantern-demo/wick-2'];
/**
 * What may have cost something, since its outcome is unknown or its usage was reported: where another upstream takes
 * over, both calls have a record.
 */
const charged = new Set(
  'hang hang-headers hang-mid-stream endless reset cut gzip broken-json wrong-shape empty huge-frame no-finish mid-stream-error-choices'.split(
    ' ',
  ),
);
/** Told by an intermediary: no reply was begun. */
const timeouts = new Set(['408', '504', '524']);

/** The number after the colon makes each its own circuit, so that no circuit breaker opens. */
const faults = Object.keys(faultTable).map((name) => (random: Random) => {
  const number = Math.floor(random() * 1000);
  if (name === 'huge-frame') return `fault/huge-frame:${2_000_000 + number}`;
  if (name === 'slow') return `fault/slow:${number % 90}`;
  return name === 'pace' ? `fault/pace:${number % 7}` : `fault/${name}:${number}`;
});

/** What a client does, repeated by frequency. */
const behaviours = [
  ...Array<'stay'>(6).fill('stay'),
  ...(['leave', 'leave', 'leave-in-stream', 'leave-upload', 'pipeline', 'bad-body'] as const),
  ...(['bad-key', 'bad-model'] as const),
];

async function runClient(proxy: InProcessProxy, key: string, random: Random): Promise<void> {
  const path = pick(random, [chatPath, responsesPath]);
  const model = random() < 0.5 ? pick(random, demoModels) : pick(random, faults)(random);
  const isStream = random() < 0.6;
  const fault = toFaultName(model);
  // A stream that fails before its first text costs nothing, where JSON names its usage.
  const label = isStream && fault === 'mid-stream-error-choices' ? 'mid-stream-error' : fault;
  const headers = { 'x-test': label };
  const body = JSON.stringify(
    toRequestJson(path, model, isStream, `count to ${Math.floor(random() * 90)}`),
  );
  const afterMs = Math.floor(random() ** 2 * 60);
  switch (pick(random, behaviours)) {
    // Aborts endless and hanging responses too.
    case 'stay':
      return read(proxy.post(path, key, body, { headers, signal: AbortSignal.timeout(2500) }));
    case 'leave':
      return read(proxy.post(path, key, body, { headers, signal: AbortSignal.timeout(afterMs) }));
    case 'leave-in-stream': {
      const client = new AbortController();
      const { signal } = client;
      const response = await proxy.post(path, key, body, { headers, signal }).catch(() => null);
      await response?.body
        ?.getReader()
        .read()
        .catch(() => {});
      client.abort();
      return;
    }
    case 'leave-upload':
      return sendRaw(proxy, toRaw({ path, key, body, label }).slice(0, -20), afterMs);
    case 'pipeline':
      return sendRaw(proxy, toRaw({ path, key, body, label }).repeat(3), afterMs);
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

/** `fault/cut:7` → `cut`; empty: the model has none. */
function toFaultName(model: string): string {
  return /^fault\/([^:]+)/.exec(model)?.[1] ?? '';
}

type RawRequest = Readonly<Record<'path' | 'key' | 'body' | 'label', string>>;

function toRaw({ path, key, body, label }: RawRequest): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Test: ${label}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
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

const kinds = ['native', 'chat', 'two upstreams'] as const;
const firstByteSeconds = 1;

/**
 * All are the model server: with Responses, with chat only, or the first of these, left after a second, and
 * then the other. A call whose reply is late goes on until it has taken three.
 */
function toUpstreams(kind: (typeof kinds)[number], url: string, folder: string): Environment {
  const common = { url, keyEnv: 'CHAOS_KEY', timeoutSeconds: { total: 3 } };
  const north = { ...common, name: 'north', protocols: ['chat', 'responses'] };
  const south = { ...common, name: 'south', protocols: ['chat'] };
  const impatient = { ...north, timeoutSeconds: { firstByte: firstByteSeconds, total: 3 } };
  const upstreams = { native: [north], chat: [south], 'two upstreams': [impatient, south] }[kind];
  const path = join(folder, 'upstreams.json');
  writeFileSync(path, JSON.stringify({ upstreams }));
  return {
    AI_UPSTREAM_URL: '',
    AI_UPSTREAM_KEY: '',
    AI_UPSTREAMS_FILE: path,
    CHAOS_KEY: upstreamKey,
  };
}

/** Whether a call that failed has a record, beside the one of the upstream that was called next. */
function isCharged({ label, outcome }: FailedCall): boolean {
  const fault = label ?? '';
  const isLate = outcome === 'timed-out' && !timeouts.has(fault);
  return isLate || charged.has(fault);
}

/** The word of an intermediary, on a machine so busy that the wait for it had ended: named where the test fails. */
function isLateWord({ label, outcome, endMs }: FailedCall): boolean {
  return outcome === 'timed-out' && timeouts.has(label ?? '') && endMs >= firstByteSeconds * 1000;
}

type FailedCall = ReturnType<ReturnType<typeof countRequests>['failedOver']>[number];

test.each(kinds)(
  'whatever clients and the upstream do (%s), each request is recorded or counted once, and nothing stays open',
  async (kind) => {
    const random = createRandom(seed);
    await using proxy = await startInProcessProxy({
      environment: ({ url }) => ({
        ...toUpstreams(kind, url, makeTestFolder()),
        PROXY_TIMEOUT_SECONDS: '2',
        PROXY_TOKENS_PER_DAY: String(dailyTokens),
      }),
      now: startNoonClock(),
    });
    const { counts, failedOver } = countRequests(proxy);
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
    const twice = recorded + rejected - (counts.reached - counts.unauthorized);
    const failed = failedOver().filter(isCharged).length;
    const late = failedOver().filter(isLateWord).length;
    // On a busy machine some are late before they are sent, and cost nothing.
    const unsent = proxy.logText().match(/"reason":"late, and not sent".*"fails over"/g)?.length;
    const shown = `${kind}, seed ${seed}: ${counts.reached} requests, ${counts.unauthorized} without a valid key, ${twice} charged twice, ${failed} expected, ${late} late words of intermediaries, ${recorded} records, ${rejected} rejected, ${ofFree?.tokens} tokens of one key, ${grownBytes} bytes retained`;
    if (process.env.MARQUEE_CHAOS_REQUESTS !== undefined) process.stdout.write(`${shown}\n`);
    expect(counts.reached, shown).toBeGreaterThan(all / 2);
    expect(counts.unauthorized, shown).toBeGreaterThan(0);
    expect(twice, shown).toBeLessThanOrEqual(failed);
    expect(twice, shown).toBeGreaterThanOrEqual(failed - (unsent ?? 0));
    expect(twice > 0, shown).toBe(kind === 'two upstreams');
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
);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Heap and buffers of this process after a garbage collection, in bytes. */
async function measureRetainedBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    collect();
    // Finalizers run in later ticks.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
