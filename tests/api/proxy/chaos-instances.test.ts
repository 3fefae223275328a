import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { pick } from '../../support/chaos.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { findBalance } from '../../support/find-balance.ts';
import { chatPath } from '../../support/servers/in-process-proxy.ts';
import { makeKeysIn } from '../../support/servers/make-key.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { closeOpenUsage } from '../../support/store-usage.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { type Fault, startCountingUpstream } from '../../support/upstreams/counting-upstream.ts';

/** `npm run chaos` sends ten thousand. The printed seed repeats a run, as far as two processes can be repeated. */
const requestsPerRun = Number(process.env.MARQUEE_CHAOS_REQUESTS ?? 600);
const seed = Number(process.env.MARQUEE_CHAOS_SEED ?? Date.now() % 1_000_000);
const pepper = 'pepper'.repeat(8);
const concurrentClients = 16;
const nanoUsd = 1e9;
/** About half of what all requests would cost. */
const budgetUsd = (requestsPerRun * 6) / 10_000;
const prices = { inputPerMillion: 1, outputPerMillion: 2 };
/** A step of 256 tokens of a reply. */
const stepNanoUsd = 256 * 2_000;
const faults: readonly (Fault | null)[] = [
  ...Array<null>(12).fill(null),
  ...(['reject', 'cut', 'no-usage', 'hang'] as const),
];

const postgres = setUpPostgres();

function writeUpstreams(url: string): string {
  const path = join(makeTestFolder(), 'upstreams.json');
  const upstream = { name: 'north', url, keyEnv: 'CHAOS_KEY', protocols: ['chat'] };
  const models = Array.from({ length: 100 }, (_, index) => ({
    id: `chaos/${index}`,
    prices,
    targets: [{ upstream: 'north', model: `chaos/${index}` }],
  }));
  writeFileSync(path, JSON.stringify({ upstreams: [upstream], models }));
  return path;
}

test('two instances, one of them killed, the other restarted: the site’s budget holds, and the books agree', async () => {
  const random = createRandom(seed);
  await using upstream = await startCountingUpstream({
    replyTokens: 500,
    tokensPerEvent: 20,
    nextFault: () => pick(random, faults),
  });
  const databaseUrl = await postgres.createDatabase();
  const folders = [makeTestFolder(), makeTestFolder()];
  const shared = {
    DATABASE_URL: databaseUrl,
    KEY_PEPPER: pepper,
    AI_UPSTREAMS_FILE: writeUpstreams(upstream.url),
    CHAOS_KEY: 'sk-chaos',
    AI_MODELS: 'chaos/*',
    PROXY_TIMEOUT_SECONDS: '1',
    TOTAL_BUDGET: `${budgetUsd} USD/day`,
  };
  const start = (index: number) => startMarquee({ ...shared, DATA_DIR: folders[index] ?? '' });
  const place = { databaseUrl, dataDir: folders[0] ?? '' };
  const keys = await makeKeysIn(place, pepper, ['one', 'two', 'three']);
  const instances = [await start(0), await start(1)];
  let responses = 0;
  const statuses = new Map<number, number>();

  async function runRequest(): Promise<void> {
    const stream = random() < 0.7;
    const body = { model: `chaos/${Math.floor(random() * 100)}`, stream, max_tokens: 600 };
    const content = 'word '.repeat(Math.floor(random() * 80) + 1);
    const messages = [{ role: 'user', content }];
    const url = pick(random, instances).url + chatPath;
    const response = await postJson(url, pick(random, keys).text, { ...body, messages });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    responses += 1;
    await response.bytes();
  }

  async function runClient(): Promise<void> {
    while (responses < requestsPerRun) {
      // An instance that ends closes its connections.
      await runRequest().catch(() => delay(20));
    }
  }

  const clients = Promise.all(Array.from({ length: concurrentClients }, runClient));
  await expect.poll(() => responses, { interval: 5 }).toBeGreaterThan(requestsPerRun / 6);
  await instances[0]?.kill();
  instances[0] = await start(0);
  await expect.poll(() => responses, { interval: 5 }).toBeGreaterThan(requestsPerRun / 3);
  await instances[1]?.terminate();
  instances[1] = await start(1);
  await clients;
  // The books are checked here, as wherever a server ends.
  for (const instance of instances) expect(await instance.terminate()).toBe(0);

  const database = await openDatabase(place);
  await closeOpenUsage(database);
  const spent = await findBalance(database, 'all', new Date().toISOString().slice(0, 10));
  await database.close();
  const shown = JSON.stringify({ seed, statuses: Object.fromEntries(statuses), spent });
  if (process.env.MARQUEE_CHAOS_REQUESTS !== undefined) console.info(shown);
  expect(spent?.nanoUsd, shown).toBeLessThanOrEqual(budgetUsd * nanoUsd + stepNanoUsd);
  // The budget was tried; what the killed instance had reserved is free after its lease only.
  expect(spent?.nanoUsd, shown).toBeGreaterThan(budgetUsd * nanoUsd * 0.85);
  expect(statuses.get(429), shown).toBeGreaterThan(0);
});
