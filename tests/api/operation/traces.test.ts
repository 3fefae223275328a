import { expect, onTestFinished, test, vi } from 'vitest';
import { sendTraces } from '#lib/telemetry/otlp-traces.ts';
import {
  chatPath,
  type InProcessProxy,
  startProxySite,
  toRequestJson,
  upstreamKey,
} from '../../support/servers/in-process-proxy.ts';
import { secretToken } from '../../support/servers/marquee-server.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../../support/servers/otlp-receiver.ts';
import { createTestLog } from '../../support/test-log.ts';

/** Between two frames of a stream. */
const paceMs = 20;

type Traced = InProcessProxy &
  Readonly<{
    /** Waits for the root span of a route, and returns all spans of its trace. */
    traceOf: (name: string) => Promise<readonly ReceivedSpan[]>;
    received: Awaited<ReturnType<typeof startOtlpReceiver>>;
  }>;

async function startTraced(): Promise<Traced> {
  const proxy = await startProxySite({}, { paceMs });
  const received = await startOtlpReceiver();
  onTestFinished(() => received.close());
  const options = { log: createTestLog(), delayMs: 50 };
  const stop = sendTraces({ endpoint: received.url, ...options });
  onTestFinished(stop);
  return {
    ...proxy,
    received,
    async traceOf(name) {
      const find = () => received.spans.find((span) => span.name === name);
      await expect.poll(find).toBeDefined();
      return received.spans.filter(({ traceId }) => traceId === find()?.traceId);
    },
  };
}

/** Names from the root to a span. */
function pathTo(spans: readonly ReceivedSpan[], name: string): string[] {
  const span = spans.find((span) => span.name === name);
  if (span === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [name] : [...pathTo(spans, parent.name), name];
}

test('a request for events is traced from the request to Airtable', async () => {
  const { url, traceOf } = await startTraced();
  await (await fetch(`${url}/api/v1/events?q=canary`)).text();
  const spans = await traceOf('GET /api/v1/events');
  expect(pathTo(spans, 'request a page of the table')).toEqual([
    'GET /api/v1/events',
    'route /api/v1/events',
    'read events',
    'request a page of the table',
  ]);
  const root = spans.find(({ parentSpanId }) => parentSpanId === '');
  expect(root).toMatchObject({
    kind: 2,
    status: 0,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/events',
      'http.response.status_code': 200,
    },
  });
});

test('a request joins the trace of its traceparent', async () => {
  const { url, received } = await startTraced();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await (await fetch(`${url}/health`, { headers })).text();
  await expect
    .poll(() => received.spans)
    .toContainEqual(
      expect.objectContaining({ name: 'GET /health', traceId, parentSpanId: 'b7ad6b7169203331' }),
    );
});

const model = 'lantern-demo/wick-3';

test.each([true, false])(
  'a generation is one span with its usage (stream: %s)',
  async (isStream) => {
    const server = await startTraced();
    const { key } = server;
    const body = toRequestJson(chatPath, model, isStream, 'canary-prompt: count to 50');
    await (await server.post(chatPath, key, body)).text();
    const spans = await server.traceOf(`POST ${chatPath}`);
    expect(pathTo(spans, `chat ${model}`)).toEqual([
      `POST ${chatPath}`,
      `route ${chatPath}`,
      `chat ${model}`,
    ]);
    const generation = spans.find(({ name }) => name === `chat ${model}`);
    expect(generation).toMatchObject({
      kind: 3,
      status: 0,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'default',
        'gen_ai.request.model': model,
      },
    });
    const { attributes, durationMs } = generation ?? {};
    for (const type of ['input', 'output']) {
      expect(Number(attributes?.[`gen_ai.usage.${type}_tokens`])).toBeGreaterThan(0);
    }
    // Over the whole stream, and not only until it begins: it has more than ten frames.
    if (isStream) expect(durationMs).toBeGreaterThan(10 * paceMs);
    for (const secret of ['canary', key, upstreamKey, secretToken, 'twelve']) {
      expect(server.received.text()).not.toContain(secret);
    }
  },
);

test('a failed generation is an error of its type', async () => {
  const server = await startTraced();
  await (await server.post(chatPath, server.key, toRequestJson(chatPath, 'fault/500'))).text();
  const spans = await server.traceOf(`POST ${chatPath}`);
  const generation = spans.find(({ name }) => name.startsWith('chat '));
  expect(generation).toMatchObject({ status: 2, attributes: { 'error.type': 'failed' } });
});

test.each([
  ['marquee', undefined],
  ['harbour', 'harbour'],
])('the service is called %s if OTEL_SERVICE_NAME is %s', async (expected, name) => {
  if (name !== undefined) vi.stubEnv('OTEL_SERVICE_NAME', name);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url, traceOf, received } = await startTraced();
  expect((await fetch(`${url}/api/v1/events`)).status).toBe(200);
  await traceOf('GET /api/v1/events');
  const serviceName = { key: 'service.name', value: { stringValue: expected } };
  expect(received.text()).toContain(JSON.stringify(serviceName));
});

test('a collector that is away costs requests nothing but a warning', async () => {
  const proxy = await startProxySite();
  const log = createTestLog();
  const stop = sendTraces({ endpoint: 'http://127.0.0.1:1', log });
  expect((await fetch(`${proxy.url}/api/v1/events`)).status).toBe(200);
  await stop();
  expect(log.lines).toContainEqual({
    level: 'warn',
    fields: {},
    message: 'traces cannot be sent',
  });
});
