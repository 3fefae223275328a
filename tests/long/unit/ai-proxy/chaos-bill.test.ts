import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/database.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { createKeyRegister, type IssuedKey } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { makeKeyInput } from '../../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { seed } from '../../../support/seed.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
} from '../../../support/servers/in-process-proxy.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { startProxyProgram } from '../../../support/servers/start-proxy-program.ts';
import { closeOpenUsage } from '../../../support/store-usage.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import type { BilledReply } from '../../../support/upstreams/billed-replies.ts';
import {
  type Script,
  startBillingUpstream,
  toPricing,
} from '../../../support/upstreams/billing-upstream.ts';

/** `npm run chaos:bill` sends ten thousand. The printed seed repeats a run, as far as processes can be repeated. */
const requestsPerRun = Number(process.env.MARQUEE_BILL_REQUESTS ?? 300);
const isLong = process.env.MARQUEE_BILL_REQUESTS !== undefined;
const concurrentClients = 16;
const pepper = 'pepper'.repeat(8);
const memberCount = 6;
const paths = [chatPath, responsesPath, messagesPath] as const;

const postgres = setUpPostgres();

type Charged = Readonly<{ model: string; estimated: number; tokens: number; nanoUsd: number }>;

/** The prices of some models change all the time. */
const modelsOfFile = 50;
const hasPriceOfFile = (index: number) => index < modelsOfFile;

/** A model for each request, so that each can be found on the bill. */
const toModel = (index: number) => `${index % 2 === 0 ? 'native' : 'translated'}/${index}`;

const random = createRandom(seed);
const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;

const replies: readonly ((counts: BilledReply['counts']) => BilledReply)[] = [
  ...Array(8).fill((counts: BilledReply['counts']) => ({ counts })),
  (counts) => ({ counts, report: () => null }),
  // Usage that contradicts its own sum, which is right.
  (counts) => ({ counts, report: (usage) => ({ ...usage, ...toWrongOutput(usage) }) }),
  (counts) => ({ counts, ending: 'no-finish' }),
  (counts) => ({ counts, hasGarbage: true }),
  (counts) => ({ counts, earlier: { at: 'start', counts: { ...counts, output: 1 } } }),
];

/** Those of Messages have no sum. */
function toWrongOutput(
  usage: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = ['completion_tokens', 'output_tokens'].filter(
    (name) => name in usage && 'total_tokens' in usage,
  );
  return Object.fromEntries(names.map((name) => [name, Number(usage[name]) + 50]));
}

const promptTokens = 100;

function toScript(): Script {
  const counts = { input: promptTokens, output: 12 + Math.floor(random() * 300) };
  const fault = random();
  return {
    reply: pick(replies)(counts),
    waitMs: Math.floor(random() * 30),
    frameMs: random() < 0.3 ? 30 : 0,
    ...(fault < 0.08 && { outcome: 'broke' }),
    ...(fault > 0.95 && { status: 503, errorBody: { error: { message: 'Busy.' } } }),
  };
}

/** The operator's prices are those of the invoice, or higher. */
function writeUpstreams(path: string, origin: string, factor: number): void {
  const upstreams = ['native', 'translated'].map((name) => ({
    name,
    url: `${origin}/${name}/v1`,
    keyEnv: 'BILL_KEY',
    protocols: name === 'native' ? ['chat', 'responses', 'messages'] : ['chat'],
  }));
  const models = Array.from({ length: modelsOfFile }, (_, index) => ({
    id: toModel(index),
    targets: [{ upstream: index % 2 === 0 ? 'native' : 'translated' }],
    prices: { inputPerMillion: factor, outputPerMillion: 2 * factor },
  }));
  // At once, since an instance may be reading it.
  writeFileSync(`${path}.new`, JSON.stringify({ upstreams, models }));
  renameSync(`${path}.new`, path);
}

async function makeMembers(database: Database): Promise<readonly IssuedKey[]> {
  const dataDir = makeTestFolder();
  const toHash = createKeyHasher(loadPepper({ keyPepper: pepper, dataDir }));
  const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
  const limits = { requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 };
  for (const name of ['red', 'blue']) await database.groups.create(name, null);
  const keys: IssuedKey[] = [];
  for (let index = 0; index < memberCount; index++) {
    const id = `mbr_${index}`;
    await database.members.save(makeMember({ id, subject: id, email: null }));
    const input = makeKeyInput({ name: `key ${index}`, ...limits });
    keys.push(await register.create(input, makeKeyOwner({ id })));
  }
  keys.push(await register.create(makeKeyInput({ name: 'of the operator', ...limits })));
  return keys;
}

function toBody(path: string, model: string, stream: boolean): object {
  const content = 'abc '.repeat(100);
  const prompt =
    path === responsesPath
      ? { input: content }
      : { messages: [{ role: 'user', content }], max_tokens: 1000 };
  return { model, stream, ...prompt };
}

test('after random faults, cancels, changes and a kill the books equal the upstream’s bill', async () => {
  const models = Array.from({ length: requestsPerRun }, (_, index) => toModel(index));
  await using upstream = await startBillingUpstream({
    models: Object.fromEntries(models.map((model) => [model, { pricing: toPricing(1, 2) }])),
    toScript,
  });
  const folders = [makeTestFolder(), makeTestFolder()];
  const place = { databaseUrl: await postgres.createDatabase(), dataDir: folders[0] ?? '' };
  const database = await openDatabase(place);
  const keys = await makeMembers(database);
  const file = join(makeTestFolder(), 'upstreams.json');
  writeUpstreams(file, upstream.origin, 1);
  const start = (index: number) =>
    startProxyProgram({
      DATABASE_URL: place.databaseUrl,
      KEY_PEPPER: pepper,
      AI_UPSTREAMS_FILE: file,
      BILL_KEY: 'sk-bill',
      DATA_DIR: folders[index] ?? '',
      MEMBER_BUDGET: 'none',
    });
  const instances = await Promise.all([start(0), start(1)]);
  let isFirstUp = true;
  let sent = 0;
  let ended = 0;
  const toFirst = new Set<string>();
  const cutByKill = new Set<string>();
  /** Streams that were ended by their client or its key, and how many tokens the client had got. */
  const cutStreams = new Map<string, number>();
  const statuses = new Map<number, number>();

  async function runRequest(model: string): Promise<void> {
    const index = isFirstUp && random() < 0.5 ? 0 : 1;
    const path = pick(paths);
    const mayLeave = random() < 0.2;
    const leavesAfterMs = Math.floor(random() * 300);
    const signal = mayLeave ? AbortSignal.timeout(leavesAfterMs) : AbortSignal.timeout(30_000);
    const { text: key } = pick(keys);
    const isStream = random() < 0.6;
    if (index === 0) toFirst.add(model);
    let received = '';
    let isCut = true;
    try {
      const response = await fetch(instances[index]?.url + path, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(toBody(path, model, isStream)),
      });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
      for await (const text of parts) received += text;
      isCut = received.includes('invalid_api_key');
    } finally {
      if (isStream && isCut) cutStreams.set(model, countTokens(received));
    }
  }

  async function runClient(): Promise<void> {
    while (sent < requestsPerRun) {
      const model = toModel(sent++);
      // Clients leave, connections break, and instances end.
      await runRequest(model).catch(() => delay(5));
      ended += 1;
    }
  }

  async function makeChanges(): Promise<void> {
    for (let round = 0; ended < requestsPerRun; round++) {
      writeUpstreams(file, upstream.origin, 1 + (round % 3));
      // One that is killed reads the file when it starts again.
      for (const instance of isFirstUp ? instances : instances.slice(1)) instance.signal('SIGHUP');
      await database.members.setGroup(`mbr_${round % memberCount}`, pick(['red', 'blue', null]));
      await delay(50);
    }
  }

  const clients = Promise.all(Array.from({ length: concurrentClients }, runClient));
  const changes = makeChanges();
  await expect.poll(() => ended).toBeGreaterThan(requestsPerRun / 3);
  isFirstUp = false;
  await instances[0]?.end('SIGKILL');
  const open = await postgres.query(
    place.databaseUrl,
    'select model from marquee_usage where is_final = 0',
  );
  for (const { model } of open as Pick<Charged, 'model'>[]) {
    if (toFirst.has(model)) cutByKill.add(model);
  }
  instances[0] = await start(0);
  isFirstUp = true;
  await database.members.remove('mbr_1', 'hash of mbr_1');
  await expect.poll(() => ended).toBeGreaterThan((requestsPerRun * 2) / 3);
  await database.members.remove('mbr_2', 'hash of mbr_2');
  await clients;
  await changes;
  await expect.poll(() => upstream.unbilled()).toBe(0);
  for (const instance of instances) expect(await instance.end('SIGTERM')).toBe(0);
  await closeOpenUsage(database);
  const drifts = await database.balances.audit();
  await database.close();
  const rows = (await postgres.query(
    place.databaseUrl,
    `select model, max(is_estimated)::int as estimated, sum(tokens_in + tokens_out)::int as tokens,
      coalesce(sum(cost_nano_usd), 0)::float as "nanoUsd" from marquee_usage group by model`,
  )) as Charged[];
  const charged = new Map(rows.map((row) => [row.model, row]));
  const problems = models.flatMap((model, index) => {
    const bill = upstream.billOf(model);
    const tokens = sum(bill.map((item) => item.tokens));
    const nanoUsd = sum(bill.map(({ usd }) => usd)) * 1e9;
    const row = charged.get(model) ?? { model, estimated: 0, tokens: 0, nanoUsd: 0 };
    const outputTokens = cutStreams.get(model);
    // The upstream cannot know how much of what it has sent was read: the client does.
    const least =
      outputTokens === undefined || tokens === 0
        ? { tokens, nanoUsd }
        : toLeast({ tokens, nanoUsd }, outputTokens);
    const isHigher = row.tokens >= least.tokens && row.nanoUsd >= Math.round(least.nanoUsd) - 1;
    // Each sum is rounded up to a billionth of a dollar.
    const isEqual =
      row.tokens <= tokens && (row.nanoUsd <= nanoUsd + 2 * bill.length || hasPriceOfFile(index));
    if (isHigher && (isEqual || row.estimated === 1)) return [];
    if (row.estimated === 1 && cutByKill.has(model)) return [];
    const isStream = upstream.requests.some((request) => request.model === model && request.stream);
    const amounts = `${row.tokens} of ${least.tokens} tokens, ${row.nanoUsd} of ${least.nanoUsd} nanodollars`;
    const kind = isStream ? 'stream' : 'JSON';
    return [`${model}, ${kind}${row.estimated === 1 ? ', estimated' : ''}: ${amounts}`];
  });
  const shown = JSON.stringify({
    seed,
    statuses: Object.fromEntries(statuses),
    cut: cutByKill.size,
  });
  if (isLong) console.info(shown);
  expect(problems, shown).toEqual([]);
  expect(drifts).toEqual([]);
  expect(statuses.get(200), shown).toBeGreaterThan(requestsPerRun / 3);
});

type Amounts = Readonly<{ tokens: number; nanoUsd: number }>;

/** The prompt, and what the client of a stream that was cut has got; never more than was sent. */
function toLeast(sent: Amounts, outputTokens: number): Amounts {
  return {
    tokens: Math.min(sent.tokens, promptTokens + outputTokens),
    nanoUsd: Math.min(sent.nanoUsd, promptTokens * 1000 + outputTokens * 2000),
  };
}

/** Of the upstream's replies, in a client's stream. */
function countTokens(text: string): number {
  return text.split(/ abc| mid/).length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
