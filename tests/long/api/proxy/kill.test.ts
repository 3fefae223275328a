import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import type { IssuedKey } from '#lib/keys/key-register.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { startForeignReader } from '../../../support/programs/foreign-reader.ts';
import { listChildren } from '../../../support/programs/list-children.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { makeKeysIn } from '../../../support/servers/make-key.ts';
import { startMarquee } from '../../../support/servers/marquee-server.ts';
import { setUpOwnPostgres } from '../../../support/servers/postgres-server.ts';
import { closeOpenUsage } from '../../../support/store-usage.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

/**
 * `npm run chaos:kill` sends so many requests a second, and stays a minute without PostgreSQL. Otherwise clients do
 * not pause, and it is over after two hundred requests.
 */
const requestsPerSecond = Number(process.env.MARQUEE_KILL_RATE ?? Number.POSITIVE_INFINITY);
const isLong = Number.isFinite(requestsPerSecond);
const pepper = 'pepper'.repeat(8);
const quick = 'lantern-demo/wick-3-mini';
const streamed = 'fault/pace:20';

const models = forTests(() => startTestModels({ key: upstreamKey }));

const countCalls = () => models.stats().byPath['POST /chat/completions'] ?? 0;

const toSettings = ({ databaseUrl, dataDir }: DatabaseOptions): Environment => ({
  DATA_DIR: dataDir,
  KEY_PEPPER: pepper,
  ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  AI_UPSTREAM_URL: models.url,
  AI_UPSTREAM_KEY: upstreamKey,
  AI_MODELS: 'fault/*,lantern-demo/*',
});

/** What one client saw, which has a key of its own and sends one request after the other. */
type Client = Readonly<{ key: IssuedKey }> & {
  ended: number;
  tokens: number;
  /** Got a 503 before they reached a model: they have no record. */
  unavailable: number;
  /** Whether the last one was under way when the server was killed. */
  isCut: boolean;
};

async function makeClients(place: DatabaseOptions): Promise<readonly Client[]> {
  const names = Array.from({ length: isLong ? 48 : 16 }, (_, index) => `client ${index}`);
  const keys = await makeKeysIn(place, pepper, names);
  return keys.map((key) => ({ key, ended: 0, tokens: 0, unavailable: 0, isCut: false }));
}

const sum = (clients: readonly Client[], field: 'ended' | 'tokens' | 'unavailable') =>
  clients.reduce((total, client) => total + client[field], 0);

async function send(url: string, client: Client, isStream: boolean): Promise<void> {
  const body = toRequestJson(chatPath, isStream ? streamed : quick, isStream);
  const response = await postJson(url + chatPath, client.key.text, body);
  const text = await response.text();
  if (response.status === 503) {
    client.unavailable += 1;
    return;
  }
  if (response.status !== 200) throw new Error(`A ${response.status}: ${text}`);
  client.ended += 1;
  if (!isStream) client.tokens += JSON.parse(text).usage.total_tokens;
}

/** Sends requests, every eighth of them streamed, until the server is gone. */
function startLoad(url: string, clients: readonly Client[]) {
  const isGone = new AbortController();
  const startedAt = performance.now();
  let sent = 0;
  const done = Promise.all(
    clients.map(async (client) => {
      while (!isGone.signal.aborted) {
        sent += 1;
        const dueAt = startedAt + (sent / requestsPerSecond) * 1000;
        await delay(Math.max(0, dueAt - performance.now()));
        if (isGone.signal.aborted) return;
        await send(url, client, sent % 8 === 0).catch((error) => {
          client.isCut = isGone.signal.aborted;
          if (!client.isCut) throw error;
        });
      }
    }),
  );
  return {
    /** @param kill ends the server. */
    async stop(kill: () => Promise<unknown>) {
      isGone.abort();
      await kill();
      await done;
      return Math.round(sent / ((performance.now() - startedAt) / 1000));
    },
  };
}

/** A request whose response was cut has a record if it came as far as that. */
async function countRecords(place: DatabaseOptions, clients: readonly Client[]) {
  const database = await openDatabase(place);
  await closeOpenUsage(database);
  const records = await database.usage.totalsOf(
    'key',
    clients.map(({ key }) => key.record.id),
    '',
  );
  await database.close();
  const counts = { records: 0, tokens: 0, lost: 0, twice: 0 };
  for (const { key, ended, isCut } of clients) {
    const found = records.get(key.record.id);
    const requests = found?.requests ?? 0;
    counts.records += requests;
    counts.tokens += (found?.tokensIn ?? 0) + (found?.tokensOut ?? 0);
    counts.lost += Math.max(0, ended - requests);
    counts.twice += Math.max(0, requests - ended - Number(isCut));
  }
  return counts;
}

function report(name: string, rate: number, clients: readonly Client[], counts: object): void {
  if (!isLong) return;
  const cut = clients.filter(({ isCut }) => isCut).length;
  const [ended, unavailable] = [sum(clients, 'ended'), sum(clients, 'unavailable')];
  console.info(name, { 'requests/s': rate, ended, cut, unavailable, ...counts });
}

// ASVS 2.3.3
test.for(['1', '2'])(
  'kill -9 of %s workers under load, beside another reader of the database, loses no record and counts none twice',
  async (WORKERS) => {
    const place = { databaseUrl: null, dataDir: makeTestFolder() };
    const clients = await makeClients(place);
    const server = await startMarquee({ ...toSettings(place), WORKERS });
    using reader = await startForeignReader(place.dataDir);
    const before = countCalls();
    const load = startLoad(server.url, clients);
    const requests = isLong ? requestsPerSecond * 10 : 200;
    await expect.poll(() => sum(clients, 'ended')).toBeGreaterThan(requests);
    const rate = await load.stop(async () => {
      // Workers outlive their primary, and would finish.
      for (const pid of listChildren(server.pid)) process.kill(pid, 'SIGKILL');
      await server.kill();
    });
    const reached = countCalls() - before;
    expect(reader.isRunning()).toBe(true);

    const next = await startMarquee(toSettings(place));
    const counts = await countRecords(place, clients);
    report('kill -9', rate, clients, { reached, ...counts });
    expect(counts).toMatchObject({ lost: 0, twice: 0 });
    expect(counts.records).toBeGreaterThanOrEqual(reached);
    expect(counts.tokens).toBeGreaterThan(sum(clients, 'tokens'));
    await next.stop();
    expect(await countRecords(place, clients)).toEqual(counts);
  },
);

const postgres = setUpOwnPostgres();

test('without PostgreSQL requests get a 503; then kill -9 loses no record and counts none twice', async () => {
  const place = { databaseUrl: await postgres.createDatabase(), dataDir: makeTestFolder() };
  const clients = await makeClients(place);
  const server = await startMarquee(toSettings(place));
  const load = startLoad(server.url, clients);
  await expect.poll(() => sum(clients, 'ended')).toBeGreaterThan(100);
  await postgres.kill();
  if (isLong) await delay(60_000);
  await expect.poll(() => sum(clients, 'unavailable')).toBeGreaterThan(50);
  await postgres.start();
  const before = sum(clients, 'ended');
  await expect.poll(() => sum(clients, 'ended')).toBeGreaterThan(before + 100);
  const rate = await load.stop(server.kill);

  const next = await startMarquee(toSettings(place));
  const counts = await countRecords(place, clients);
  report('a minute without PostgreSQL, then kill -9', rate, clients, counts);
  expect(counts).toMatchObject({ lost: 0, twice: 0 });
  expect(counts.tokens).toBeGreaterThan(sum(clients, 'tokens'));
  expect(await next.terminate()).toBe(0);
});
