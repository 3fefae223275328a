import { expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import {
  type Fault,
  faultCanary,
  parseFault,
  wrongSchemaVariants,
} from '#lib/demo/airtable/faults.ts';
import { errorType, list, openServer, readAll, readPage } from './open-airtable-server.ts';

async function openFaulty(fault: Fault): Promise<AirtableServer> {
  const server = await openServer();
  server.setFault(fault);
  return server;
}

const patience = () => ({ signal: AbortSignal.timeout(150) });

function listFor150Ms(server: AirtableServer) {
  return list(server, '', {
    headers: { authorization: `Bearer ${server.token}` },
    ...patience(),
  });
}

test.each([
  ['401', 401, 'AUTHENTICATION_REQUIRED'],
  ['403', 403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'],
  ['404', 404, 'NOT_FOUND'],
  ['422', 422, 'INVALID_REQUEST_UNKNOWN'],
  ['429', 429, 'RATE_LIMIT_REACHED'],
  ['429-errors', 429, 'RATE_LIMIT_REACHED'],
  ['429-billing', 429, 'PUBLIC_API_BILLING_LIMIT_EXCEEDED'],
  ['503', 503, 'RETRIABLE_ERROR'],
] as const)('fault %s gives %i %s with the canary in its text', async (kind, status, type) => {
  const server = await openFaulty({ kind });
  const response = await list(server);
  expect(response.status).toBe(status);
  expect(response.statusText).toContain(faultCanary);
  expect(await response.clone().text()).toContain(faultCanary);
  expect(await errorType(response)).toBe(type);
});

test.each([
  ['200-html', 200],
  ['500-html', 500],
  ['502-html', 502],
] as const)('fault %s gives %i with an HTML page', async (kind, status) => {
  const response = await list(await openFaulty({ kind }));
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain(faultCanary);
});

test('fault 503 can have a Retry-After', async () => {
  const response = await list(await openFaulty({ kind: '503', retryAfterSeconds: 7 }));
  expect(response.headers.get('retry-after')).toBe('7');
});

test('fault redirect leads to another host', async () => {
  const response = await list(await openFaulty({ kind: 'redirect' }));
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toMatch(/^http:\/\/elsewhere\.example\//);
});

test('fault hang never responds', async () => {
  const server = await openFaulty({ kind: 'hang' });
  await expect(listFor150Ms(server)).rejects.toThrow(/timeout/i);
  expect(server.stats().openRequestsMax).toBe(1);
});

test.each(['hang-body', 'drip', 'huge'] as const)(
  'fault %s starts a response and never ends it',
  async (kind) => {
    const server = await openFaulty(kind === 'drip' ? { kind, everyMs: 5 } : { kind });
    const response = await listFor150Ms(server);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(/timeout/i);
  },
);

test('fault huge sends valid JSON far larger than any table', async () => {
  const server = await openFaulty({ kind: 'huge' });
  const stopped = new AbortController();
  const response = await list(server, '', {
    headers: { authorization: `Bearer ${server.token}` },
    signal: stopped.signal,
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > 5_000_000) break;
  }
  stopped.abort();
  expect(bytes).toBeGreaterThan(5_000_000);
});

test('fault cut closes the connection in the middle of the body', async () => {
  const response = await list(await openFaulty({ kind: 'cut' }));
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('fault reset closes the connection at once', async () => {
  await expect(list(await openFaulty({ kind: 'reset' }))).rejects.toThrow();
});

test('fault broken-json is a complete body that does not parse', async () => {
  const text = await (await list(await openFaulty({ kind: 'broken-json' }))).text();
  expect(() => JSON.parse(text)).toThrow();
});

test.each(wrongSchemaVariants)('fault wrong-schema %s gives 200', async (variant) => {
  const response = await list(await openFaulty({ kind: 'wrong-schema', variant }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/json');
});

test('fault wrong-record puts invalid values among valid records', async () => {
  const { records } = await readPage(await openFaulty({ kind: 'wrong-record' }));
  expect(records.length).toBeGreaterThan(25);
  expect(records).toContain(null);
});

test('fault slow gives the normal response, but late', async () => {
  const server = await openFaulty({ kind: 'slow', delayMs: 60 });
  const began = performance.now();
  expect((await readPage(server)).records).toHaveLength(25);
  expect(performance.now() - began).toBeGreaterThan(50);
});

test('fault expired-iterator hits every offset and no first page', async () => {
  const server = await openFaulty({ kind: 'expired-iterator' });
  const { offset } = await readPage(server, '?pageSize=5');
  const response = await list(server, `?offset=${offset}`);
  expect(response.status).toBe(422);
  expect(await errorType(response)).toBe('LIST_RECORDS_ITERATOR_NOT_AVAILABLE');
  expect((await list(server)).status).toBe(200);
});

test('afterPages lets that many pages of a read through', async () => {
  const server = await openFaulty({ kind: '503', afterPages: 2 });
  await expect(readAll(server, 'pageSize=5')).rejects.toThrow(/^503/);
  expect(server.stats().pagesServed).toBe(2);
});

test('a fault with `times` clears itself', async () => {
  const server = await openFaulty({ kind: '500-html', times: 2 });
  const statuses = [await list(server), await list(server), await list(server)];
  expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200]);
});

test('null clears a fault', async () => {
  const server = await openFaulty({ kind: '500-html' });
  server.setFault(null);
  expect((await list(server)).status).toBe(200);
});

test('a fault on attachments does not affect the table', async () => {
  const server = await openFaulty({ kind: '500-html', on: 'attachments' });
  expect((await list(server)).status).toBe(200);
  expect((await fetch(`${server.url}/attachments/any`)).status).toBe(500);
});

test('closing the server ends hanging and dripping responses', async () => {
  const server = await openServer();
  server.setFault({ kind: 'hang', times: 1 });
  const hanging = list(server).catch(() => 'ended');
  await expect.poll(() => server.stats().openRequests).toBe(1);
  server.setFault({ kind: 'drip', everyMs: 5 });
  const dripping = (await list(server)).text().catch(() => 'ended');
  await server.close();
  expect(await Promise.all([hanging, dripping])).toEqual(['ended', 'ended']);
  expect(server.stats().openRequests).toBe(0);
});

test.each([
  'hang',
  {},
  { kind: 'nope' },
  { kind: 'toString' },
  { kind: 'hang', everyMs: 5 },
  { kind: 'drip', everyMs: -5 },
  { kind: 'hang', times: 1.5 },
  { kind: 'wrong-schema', variant: 'nope' },
  { kind: 'redirect', location: 'javascript:x' },
])('%j is not a fault', (value) => {
  expect(parseFault(value).ok).toBe(false);
});
