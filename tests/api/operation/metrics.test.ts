import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { expect, onTestFinished, test } from 'vitest';
import { Health } from '#lib/telemetry/health.ts';
import { measureMetrics } from '#lib/telemetry/measure-metrics.ts';
import { createMetricsServer } from '#lib/telemetry/metrics-server.ts';
import { logRequests } from '#lib/telemetry/request-log.ts';
import {
  chatPath,
  type InProcessProxy,
  startProxySite,
  toRequestJson,
  upstreamKey,
} from '../../support/servers/in-process-proxy.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { secretToken } from '../../support/servers/marquee-server.ts';
import { createTestLog } from '../../support/test-log.ts';
import { startBillingUpstream, toPricing } from '../../support/upstreams/billing-upstream.ts';

type Watched = InProcessProxy & Readonly<{ scrape: () => Promise<Scraped> }>;

/** A server with events and models, and its metrics. */
async function startWatched(environment: Readonly<Record<string, string>> = {}): Promise<Watched> {
  const proxy = await startProxySite(environment);
  const { database } = proxy.services;
  const health = new Health([
    { name: 'database', isRequired: true, isCheap: true, run: database.ping },
    {
      name: 'events',
      isRequired: false,
      isCheap: true,
      run: () => Promise.reject(new Error('away')),
    },
  ]);
  const measured = measureMetrics({
    readChecks: () => health.readCheap(),
    countConnections: async () => 3,
    countDeliveries: database.deliveries.countWaiting,
    measureAirtableCalls: async () => ({ used: 3, projected: 14_400 }),
    measureFreeBytes: async () => 5e9,
    now: Date.now,
  });
  onTestFinished(measured.stop);
  const metricsServer = createMetricsServer({
    readMetrics: measured.read,
    readReadiness: () => health.readReadiness(false),
  });
  const { url, close } = await listenOnLoopback(metricsServer);
  onTestFinished(close);
  return { ...proxy, scrape: () => scrapeMetrics(`${url}/metrics`) };
}

/** The server notices the end of a response a moment after the client. */
async function until(server: Watched, sample: string, labels: Labels): Promise<Scraped> {
  await expect.poll(async () => (await server.scrape()).labels(sample)).toContainEqual(labels);
  return server.scrape();
}

type Labels = Readonly<Record<string, string>>;

const read = async (url: string) => (await fetch(url)).text();

test('requests are counted by route and status', async () => {
  const server = await startWatched();
  for (let count = 0; count < 3; count++) await read(`${server.url}/api/v1/events`);
  await read(`${server.url}/api/v1/events/no-such-event`);
  await read(`${server.url}/events/${'x'.repeat(50)}`);
  const name = 'http_server_request_duration_seconds_count';
  const list = { route: '/api/v1/events', status: '200' };
  const page = { route: '/events/[slug]', status: '200' };
  const scraped = await until(server, name, page);
  expect(scraped.value(name, list)).toBe(3);
  expect(scraped.value(name, { route: '/api/v1/events/[idOrSlug]', status: '404' })).toBe(1);
  expect(scraped.value('marquee_response_cache_hits_total')).toBe(2);
});

test('what waits to be delivered is counted by kind', async () => {
  const server = await startWatched();
  // Without a mail server it is not sent.
  const mail = { kind: 'mail', target: 'one', payload: '{}' } as const;
  await server.services.database.deliveries.add([mail, mail], Date.now());
  const { value } = await server.scrape();
  expect(value('marquee_deliveries_waiting', { kind: 'mail' })).toBe(2);
  expect(value('marquee_deliveries_waiting', { kind: 'webhook' })).toBe(0);
});

test('while the database and the disk hang or fail, the metrics are there, with the last numbers', async () => {
  const never = () => new Promise<never>(() => {});
  const away = () => Promise.reject(new Error('away'));
  let [countDeliveries, measureFreeBytes, measureAirtableCalls] = [
    async () => ({ mail: 7 }),
    async () => 5e9,
    async () => ({ used: 3, projected: 9 }),
  ];
  const { read, stop } = measureMetrics({
    readChecks: async () => new Map([['database', false]]),
    countConnections: async () => 3,
    countDeliveries: () => countDeliveries(),
    measureAirtableCalls: () => measureAirtableCalls(),
    measureFreeBytes: () => measureFreeBytes(),
    now: Date.now,
  });
  onTestFinished(stop);
  const texts = [await (await read()).metrics()];
  [countDeliveries, measureFreeBytes, measureAirtableCalls] = [never, never, never];
  texts.push(await (await read()).metrics());
  [countDeliveries, measureAirtableCalls] = [away, away];
  texts.push(await (await read()).metrics());
  for (const text of texts) {
    for (const line of [
      'marquee_deliveries_waiting{kind="mail"} 7',
      'marquee_disk_free_bytes 5000000000',
      'marquee_airtable_calls_this_month 3',
      'marquee_check_ok{check="database"} 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  }
});

test('the table, the checks and the process are there', async () => {
  const server = await startWatched();
  expect((await server.scrape()).value('marquee_table_read_ok')).toBeNaN();
  const { events } = await server.services.events.current();
  const scraped = await server.scrape();
  expect(scraped.value('marquee_snapshot_events')).toBe(events.length);
  expect(scraped.value('marquee_snapshot_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(scraped.value('marquee_table_reads_total', { outcome: 'ok' })).toBe(1);
  expect(scraped.value('marquee_airtable_requests_total', { outcome: 'ok' })).toBeGreaterThan(0);
  expect(scraped.value('marquee_check_ok', { check: 'database' })).toBe(1);
  expect(scraped.value('marquee_check_ok', { check: 'events' })).toBe(0);
  expect(scraped.value('marquee_connections')).toBe(3);
  expect(scraped.value('marquee_table_read_ok')).toBe(1);
  expect(scraped.value('marquee_disk_free_bytes')).toBe(5e9);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    expect(scraped.value(name), name).toBeGreaterThan(0);
  }
  expect(scraped.labels('process_heap_bytes')).toEqual([]);
});

const model = 'lantern-demo/wick-3';
const generation = {
  gen_ai_operation_name: 'chat',
  gen_ai_provider_name: 'default',
  gen_ai_request_model: model,
};

test.each([true, false])('a generation is measured (stream: %s)', async (isStream) => {
  const server = await startWatched();
  const body = toRequestJson(chatPath, model, isStream);
  const response = await server.post(chatPath, server.key, body);
  expect(response.status).toBe(200);
  await response.text();
  const name = 'gen_ai_client_operation_duration_seconds_count';
  const labels = { ...generation, error_type: '' };
  const scraped = await until(server, name, labels);
  const firstChunk = 'gen_ai_client_operation_time_to_first_chunk_seconds_count';
  expect(scraped.value(firstChunk, generation)).toBe(1);
  for (const type of ['input', 'output']) {
    const labels = { ...generation, gen_ai_token_type: type };
    expect(scraped.value('gen_ai_client_token_usage_sum', labels)).toBeGreaterThan(0);
  }
  const calls = { upstream: 'default', model, outcome: 'ok' };
  expect(scraped.value('marquee_upstream_requests_total', calls)).toBe(1);
  expect(scraped.value('marquee_ledger_transaction_entries_sum')).toBeGreaterThanOrEqual(2);
  expect(scraped.value('marquee_ledger_transaction_duration_seconds_count')).toBeGreaterThan(0);
  expect(scraped.value('marquee_reservations')).toBe(0);
  expect(scraped.value('marquee_streams')).toBe(0);
});

test('failures and rejections have their own labels, and models of clients have none', async () => {
  const server = await startWatched({ PROXY_BODY_BYTES_MAX: '1024' });
  const { text: key } = await server.makeKey({ requestsPerMinute: 2 });
  const send = async (name: string) => {
    const response = await server.post(chatPath, key, toRequestJson(chatPath, name));
    await response.text();
    return response.status;
  };
  await send('fault/http-500');
  await send(`anything/${'x'.repeat(40)}`);
  // When the next minute begins in between, one more gets through.
  await expect.poll(() => send(model)).toBe(429);
  await server.post(chatPath, 'mq_wrong', {});
  await server.post(chatPath, server.key, { padding: 'x'.repeat(1024) });
  const scraped = await server.scrape();
  const rejected = { endpoint: 'chat.completions', status: '429', code: 'rate_limit_exceeded' };
  expect(scraped.value('marquee_proxy_rejections_total', rejected)).toBe(1);
  const unknown = { endpoint: 'chat.completions', status: '404', code: 'model_not_found' };
  expect(scraped.value('marquee_proxy_rejections_total', unknown)).toBe(1);
  const large = { endpoint: 'chat.completions', status: '413', code: 'request_too_large' };
  expect(scraped.value('marquee_proxy_rejections_total', large)).toBe(1);
  const malformed = { reason: 'key_malformed' };
  expect(scraped.value('marquee_refused_keys_total', malformed)).toBe(1);
  expect(scraped.text).not.toContain('xxxx');
});

test('a reported cost that is not believed is counted by upstream', async () => {
  await using upstream = await startBillingUpstream({
    models: { [model]: { pricing: toPricing(1, 2) } },
    toScript: () => ({
      reply: { counts: { input: 10, output: 6 }, report: (usage) => ({ ...usage, cost: 5 }) },
    }),
  });
  const server = await startWatched({ AI_UPSTREAM_URL: upstream.url });
  for (const isStream of [true, false]) {
    const body = toRequestJson(chatPath, model, isStream);
    await (await server.post(chatPath, server.key, body)).text();
  }
  const name = 'marquee_implausible_costs_total';
  const scraped = await until(server, name, { upstream: 'default' });
  expect(scraped.value(name, { upstream: 'default' })).toBe(2);
});

// ASVS 16.2.5
test('no label, help text or log line contains a prompt, a reply, a key or a token', async () => {
  const server = await startWatched();
  const log = createTestLog();
  onTestFinished(logRequests({ which: 'all', trustedHops: 0, log }));
  const { text: key } = await server.makeKey({ name: 'Ada' });
  for (const isStream of [true, false]) {
    const body = toRequestJson(chatPath, model, isStream, 'canary-prompt: count to 30');
    await (await server.post(chatPath, key, body)).text();
  }
  await read(`${server.url}/api/v1/events?q=canary-search`);
  const response = await fetch(`${server.url}/canary-path`, {
    headers: { cookie: 'canary-cookie', 'user-agent': 'canary-agent' },
  });
  await response.text();
  await expect.poll(() => log.lines.length).toBe(4);
  const { text: metrics } = await server.scrape();
  for (const text of [metrics, log.text(), server.logText()]) {
    for (const secret of ['canary', key, upstreamKey, secretToken, 'twelve']) {
      expect(text).not.toContain(secret);
    }
  }
});

// ASVS 16.2.4
test('a request is logged in one line, with the name of its key and a shortened address', async () => {
  const server = await startWatched({ TRUST_PROXY: '1' });
  const log = createTestLog();
  onTestFinished(logRequests({ which: 'all', trustedHops: 1, log }));
  const { text: key } = await server.makeKey({ name: 'Ada' });
  const response = await server.post(chatPath, key, toRequestJson(chatPath, model), {
    headers: { 'x-forwarded-for': '203.0.113.77', 'x-request-id': 'request-0123' },
  });
  const { byteLength } = await response.arrayBuffer();
  await expect.poll(() => log.lines).toHaveLength(1);
  const [line] = log.lines;
  expect(line).toMatchObject({
    level: 'info',
    message: 'request',
    fields: { bytes: expect.toSatisfy((bytes) => bytes > byteLength) },
  });
  expect(line?.fields).toEqual({
    method: 'POST',
    route: '/proxy/v1/chat/completions',
    status: 200,
    durationMs: expect.any(Number),
    bytes: expect.any(Number),
    requestId: 'request-0123',
    key: 'Ada',
    client: '203.0.113.0/24',
  });
});

test('by default only failures and refused keys are logged', async () => {
  const server = await startWatched({ AIRTABLE_TOKEN: 'patWrong.token' });
  const log = createTestLog();
  onTestFinished(logRequests({ which: 'errors', trustedHops: 0, log }));
  for (const path of ['/health', '/api/v1/nothing', '/api/v1/events']) {
    await (await fetch(server.url + path)).text();
  }
  await (await server.post(chatPath, 'mq_wrong', {})).text();
  await expect.poll(() => log.lines).toHaveLength(2);
  expect(log.lines.map(({ fields }) => fields)).toMatchObject([
    { route: '/api/v1/events', status: 502 },
    { route: '/proxy/v1/chat/completions', status: 401, key: null },
  ]);
});

type Scraped = Readonly<{
  text: string;
  /** The value of the sample with exactly these labels; 0 if there is none. */
  value: (sample: string, labels?: Labels) => number;
  /** The labels of all samples of this name. */
  labels: (sample: string) => Labels[];
}>;

/** Reads metrics over HTTP, as Prometheus does. */
async function scrapeMetrics(url: string): Promise<Scraped> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The metrics are a ${response.status}.`);
  const text = await response.text();
  // Without its type a histogram is a list of samples; with it the parser mixes those of different labels.
  const families = parsePrometheusTextFormat(text.replace(/^# TYPE .*\n/gm, ''));
  const find = (sample: string) =>
    families.filter(({ name }) => name === sample).flatMap(({ metrics }) => metrics);
  return {
    text,
    value(sample, labels = {}) {
      const wanted = toText(labels);
      const found = find(sample).find((metric) => toText(metric.labels ?? {}) === wanted);
      return Number(found?.value ?? 0);
    },
    labels: (sample) => find(sample).map(({ labels = {} }) => labels),
  };
}

function toText(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}
