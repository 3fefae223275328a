import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { makeKeyIn } from '../../../support/servers/make-key.ts';
import { startTable, toTableSettings } from '../../../support/servers/marquee-server.ts';
import { toPrompt } from '../../../support/servers/pipeline-server.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import {
  expectOnePage,
  getAnew,
  listRequests,
  startWorkers,
} from '../../../support/servers/workers-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { startRawUpstream } from '../../../support/upstreams/raw-upstream.ts';

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('after a restart, metrics know of a read that was there before the server was ready', async () => {
  await using table = await startTable();
  const settings = { ...toTableSettings(table), DATA_DIR: makeTestFolder() };
  const before = await startWorkers(settings);
  await expect.poll(() => before.readMetric('marquee_table_read_ok')).toBe(1);
  await before.stop();
  const after = await startWorkers(settings);
  await expect.poll(() => after.readMetric('marquee_table_read_ok')).toBe(1);
});

describe('with PostgreSQL', () => {
  const postgres = setUpPostgres();

  test('it is the same', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await expectOnePage({ DATABASE_URL, KEY_PEPPER: 'pepper-of-this-test-0123456789abc' });
  });
});

test('killed workers are replaced; requests go on, and counters do not go down', async () => {
  const server = await startWorkers();
  const [stays = 0, killed = 0] = server.pids();
  for (let count = 0; count < 20; count++) await getAnew(`${server.url}/api/v1/openapi.json`);
  await expect.poll(() => server.readMetric(listRequests)).toBe(20);
  for (let pid = killed, times = 0; times < 3; times++) {
    process.kill(pid, 'SIGKILL');
    const before = pid;
    const replacement = () => server.pids().find((pid) => pid !== stays && pid !== before);
    await expect.poll(replacement).toBeDefined();
    expect(await getAnew(`${server.url}/health`)).toBe(200);
    pid = replacement() ?? 0;
  }
  await expect.poll(server.isReady).toBe(true);
  expect(await getAnew(`${server.url}/api/v1/openapi.json`)).toBe(200);
  await expect.poll(() => server.readMetric(listRequests)).toBe(21);
  // Later ones within a minute are only counted.
  const ended = server.lines().find(({ msg }) => msg === 'a worker has ended and is replaced');
  expect(ended).toMatchObject({ worker: killed, signal: 'SIGKILL', delayMs: 100 });
});

/** A server of two workers with one upstream, and a key. */
async function startWithUpstream(url: string, limits: object = {}, environment: Environment = {}) {
  const folder = makeTestFolder();
  const file = join(folder, 'upstreams.json');
  writeUpstream(file, url, limits);
  const dataDir = join(folder, 'data');
  const { text: key } = await makeKeyIn({ databaseUrl: null, dataDir });
  const server = await startWorkers({
    DATA_DIR: dataDir,
    AI_UPSTREAMS_FILE: file,
    AI_MODELS: 'm',
    UPSTREAM_KEY: 'sk-any',
    ...environment,
  });
  /** Each request has a connection of its own. */
  const generate = () =>
    postJson(`${server.url}/proxy/v1/chat/completions`, key, toPrompt('m', false), {
      headers: { connection: 'close' },
    });
  return { ...server, file, generate };
}

function writeUpstream(file: string, url: string, limits: object): void {
  const upstream = { name: 'north', url, keyEnv: 'UPSTREAM_KEY', protocols: ['chat'], ...limits };
  writeFileSync(file, JSON.stringify({ upstreams: [upstream] }));
}

const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const list = JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] });

/** Replies after a while, or when it is told to; counts what runs at once. */
async function startSlowUpstream({ replyMs = 0 } = {}) {
  const seen = { running: 0, most: 0 };
  const waiting: (() => void)[] = [];
  const upstream = await startRawUpstream(async (response, { method }) => {
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    response.once('close', () => {
      seen.running -= 1;
    });
    if (method === 'POST' && replyMs === 0) {
      await new Promise<void>((release) => waiting.push(release));
    }
    if (method === 'POST') await delay(replyMs);
    response.setHeader('content-type', 'application/json');
    response.end(method === 'GET' ? list : reply);
  });
  onTestFinished(upstream.close);
  return {
    url: upstream.url,
    requests: () => upstream.seen.requests,
    seen,
    waiting: () => waiting.length,
    release: () => {
      for (const release of waiting.splice(0)) release();
    },
  };
}

/** Starts so many requests that both workers have some. */
async function occupyBoth(
  server: Readonly<{ generate: () => Promise<Response> }>,
  upstream: Readonly<{ waiting: () => number }>,
): Promise<Promise<Response>[]> {
  const replies = Array.from({ length: 8 }, () => server.generate());
  await expect.poll(upstream.waiting).toBe(8);
  return replies;
}

test('SIGTERM to the primary lets running requests of all workers finish', async () => {
  const upstream = await startSlowUpstream();
  const server = await startWithUpstream(upstream.url, {}, { SHUTDOWN_SECONDS: '60' });
  const replies = await occupyBoth(server, upstream);
  const pids = server.pids();
  const ended = server.terminate();
  await expect.poll(() => server.lines().filter(({ msg }) => msg === 'closing').length).toBe(3);
  upstream.release();
  for (const response of await Promise.all(replies)) {
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ usage: { total_tokens: 5 } });
  }
  expect(await ended).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
});

test('without their primary, workers finish what they do and end', async () => {
  const upstream = await startSlowUpstream();
  const server = await startWithUpstream(upstream.url, {}, { SHUTDOWN_SECONDS: '60' });
  const replies = await occupyBoth(server, upstream);
  const pids = server.pids();
  await server.kill();
  await expect.poll(() => server.lines().filter(({ msg }) => msg === 'closing').length).toBe(2);
  upstream.release();
  for (const response of await Promise.all(replies)) expect(response.status).toBe(200);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

test('workers above their memory are replaced one after the other; their running requests finish', async () => {
  const upstream = await startSlowUpstream();
  const server = await startWithUpstream(upstream.url, {}, { WORKER_MEMORY_BYTES_MAX: '67108864' });
  const replies = await occupyBoth(server, upstream);
  const pids = server.pids();
  const leaving = () => server.lines().filter(({ msg }) => /^closing, since/.test(msg));
  await expect.poll(leaving).toHaveLength(1);
  expect(server.pids()).toHaveLength(3);
  expect(await server.readMetric('marquee_workers{state="serving"}')).toBe(2);
  for (let count = 0; count < 10; count++) {
    expect(await getAnew(`${server.url}/api/v1/openapi.json`)).toBe(200);
  }
  upstream.release();
  for (const response of await Promise.all(replies)) expect(response.status).toBe(200);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

test('SIGHUP to the primary reloads the upstreams of all workers', async () => {
  const [before, after] = [
    await startSlowUpstream({ replyMs: 1 }),
    await startSlowUpstream({ replyMs: 1 }),
  ];
  const server = await startWithUpstream(before.url);
  expect((await server.generate()).status).toBe(200);
  writeUpstream(server.file, after.url, {});
  process.kill(server.pid, 'SIGHUP');
  const reloaded = () => server.lines().filter(({ msg }) => msg === 'upstreams read again');
  await expect.poll(() => reloaded().length).toBe(2);
  expect(new Set(reloaded().map(({ pid }) => pid))).toEqual(new Set(server.pids()));
  const requests = before.requests();
  for (let count = 0; count < 10; count++) expect((await server.generate()).status).toBe(200);
  expect(before.requests()).toBe(requests);
});

describe('limits of an upstream hold for all workers together', () => {
  test('one call at once: it is never passed, and calls one after the other get through', async () => {
    const upstream = await startSlowUpstream({ replyMs: 20 });
    const server = await startWithUpstream(upstream.url, { concurrentRequests: 1 });
    for (let count = 0; count < 10; count++) expect((await server.generate()).status).toBe(200);
    const all = await Promise.all(Array.from({ length: 30 }, server.generate));
    const statuses = new Set(all.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    expect(upstream.seen.most).toBe(1);
  });

  test.for([1, 4])('%s calls in a minute: no more get through', async (requestsPerMinute) => {
    const upstream = await startSlowUpstream({ replyMs: 1 });
    const server = await startWithUpstream(upstream.url, { requestsPerMinute });
    const all = await Promise.all(Array.from({ length: 40 }, server.generate));
    expect(all.some(({ status }) => status === 503)).toBe(true);
    // Each worker has its half, and its requests of the list of models count, too.
    expect(upstream.requests()).toBe(requestsPerMinute);
  });
});
