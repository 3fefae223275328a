import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { type ModelServer, startModelServer } from '#lib/demo/models/model-server.ts';
import { type DatabaseOptions, openDatabase } from '#lib/storage/database.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../support/servers/in-process-proxy.ts';
import { makeKeyIn } from '../../support/servers/make-key.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer({ key: upstreamKey });
});
afterAll(() => models.close());

const quick = 'lantern-demo/wick-3-mini';
const streamed = 'fault/pace:20';
const pepper = 'pepper'.repeat(8);

async function readUsage(options: DatabaseOptions) {
  const database = await openDatabase(options);
  const sums = await database.usage.sumBy('model', '');
  await database.close();
  return {
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
    tokens: sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0),
  };
}

const toSettings = ({ databaseUrl, dataDir }: DatabaseOptions): Environment => ({
  DATA_DIR: dataDir,
  KEY_PEPPER: pepper,
  ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  AI_UPSTREAM_URL: models.url,
  AI_UPSTREAM_KEY: upstreamKey,
  AI_MODELS: 'fault/*,lantern-demo/*',
});

/** Sends requests one after the other on 16 connections, until the server is gone. */
function startLoad(url: string, key: string) {
  const seen = { sent: 0, answered: 0, tokens: 0 };
  const isGone = new AbortController();
  async function send(): Promise<void> {
    const isStream = seen.sent % 8 === 0;
    seen.sent += 1;
    const response = await fetch(url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(toRequestJson(chatPath, isStream ? streamed : quick, isStream)),
    });
    const text = await response.text();
    if (response.status !== 200) return;
    seen.answered += 1;
    if (!isStream) seen.tokens += JSON.parse(text).usage.total_tokens;
  }
  const done = Promise.all(
    Array.from({ length: 16 }, async () => {
      while (!isGone.signal.aborted) await send().catch(() => {});
    }),
  );
  return { seen, stop: () => isGone.abort(), done };
}

async function waitForQueues(dataDir: string): Promise<void> {
  await vi.waitFor(async () => expect(await readdir(join(dataDir, 'usage'))).toHaveLength(0), {
    timeout: 20_000,
    interval: 100,
  });
}

test('kill -9 under load loses no record and counts none twice', async () => {
  const place = { databaseUrl: null, dataDir: makeTestFolder() };
  const { text: key } = await makeKeyIn(place, pepper);
  const server = await startMarquee(toSettings(place));
  const before = models.stats().byPath['POST /chat/completions'] ?? 0;
  const load = startLoad(server.url, key);
  await vi.waitFor(() => expect(load.seen.answered).toBeGreaterThan(400), { timeout: 60_000 });
  await server.kill();
  load.stop();
  await load.done;
  const reached = (models.stats().byPath['POST /chat/completions'] ?? 0) - before;

  const next = await startMarquee(toSettings(place));
  await waitForQueues(place.dataDir);
  const usage = await readUsage(place);
  expect(usage.requests).toBeGreaterThanOrEqual(reached);
  expect(usage.requests).toBeGreaterThanOrEqual(load.seen.answered);
  expect(usage.requests).toBeLessThanOrEqual(load.seen.sent);
  expect(usage.tokens).toBeGreaterThan(load.seen.tokens);
  await next.stop();
  expect(await readUsage(place)).toEqual(usage);
}, 120_000);

const postgres = setUpPostgres();

test('a time without PostgreSQL and then kill -9 loses no record and counts none twice', async () => {
  const place = { databaseUrl: await postgres.createDatabase(), dataDir: makeTestFolder() };
  const { text: key } = await makeKeyIn(place, pepper);
  const server = await startMarquee(toSettings(place));
  const load = startLoad(server.url, key);
  await vi.waitFor(() => expect(load.seen.answered).toBeGreaterThan(100), { timeout: 60_000 });
  await postgres.kill();
  const away = load.seen.answered;
  await vi.waitFor(() => expect(load.seen.answered).toBeGreaterThan(away + 400), {
    timeout: 60_000,
  });
  await server.kill();
  load.stop();
  await load.done;
  await postgres.start();

  const next = await startMarquee(toSettings(place));
  await waitForQueues(place.dataDir);
  const usage = await readUsage(place);
  expect(usage.requests).toBeGreaterThanOrEqual(load.seen.answered);
  expect(usage.requests).toBeLessThanOrEqual(load.seen.sent);
  expect(usage.tokens).toBeGreaterThan(load.seen.tokens);
  expect(await next.terminate()).toBe(0);
}, 180_000);
