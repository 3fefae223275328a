import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { createAirtableClient } from '#lib/events/source/airtable/client.ts';
import { AirtableError } from '#lib/events/source/airtable/failure.ts';
import { createAirtableSource } from '#lib/events/source/airtable/source.ts';
import { createEventsLoader } from '#lib/events/source/loader.ts';
import { respondWithApiError } from '#lib/http/errors/api-error.ts';
import { edgeCaseRecords } from '../../../../support/airtable/edge-case-records.ts';
import {
  type Fault,
  faultKinds,
  wrongSchemaVariants,
} from '../../../../support/airtable/faults.ts';
import { faultCanary } from '../../../../support/fault-canary.ts';
import { listenOnLoopback } from '../../../../support/servers/loopback-server.ts';
import { createTestLog } from '../../../../support/test-log.ts';
import { makeRecords, startUpstream } from '../../../../support/upstreams/upstream.ts';
import { waitFor } from '../../../../support/wait-for.ts';

const ids = (records: readonly { id: string }[]) => records.map((record) => record.id).toSorted();

vi.setConfig({ maxConcurrency: 10 });

// Most of these wait for real time-outs and real retries, so they do it together.
describe.concurrent('the client', () => {
  test('all pages of a table are read, each record once', async () => {
    const records = makeRecords(350);
    await using fixture = await startUpstream({ records });
    expect(ids(await fixture.client.readRecords())).toEqual(ids(records));
    expect(fixture.upstream.stats()).toMatchObject({
      listRequests: 4,
      pagesServed: 4,
      openRequestsMax: 1,
    });
  });

  test('an empty table has no records', async () => {
    await using fixture = await startUpstream({ records: [] });
    expect(await fixture.client.readRecords()).toEqual([]);
  });

  test('odd rows are returned as they are, each once', async () => {
    const records = edgeCaseRecords({ today: '2026-11-21' });
    expect(new Set(ids(records)).size).toBe(records.length);
    await using fixture = await startUpstream({ records });
    const served = await fixture.client.readRecords();
    expect(ids(served)).toEqual(ids(records));
    const surrogates = served.find(({ fields }) => fields.Name === 'Lone surrogates');
    expect(surrogates?.fields.Location).toBe('\udfff');
  });

  test('fields and a number of records can be requested', async () => {
    await using fixture = await startUpstream({
      records: makeRecords(5, () => ({ Pinned: true })),
    });
    const records = await fixture.client.readRecords({ fields: ['Pinned'], maxRecords: 2 });
    expect(records.map((record) => record.fields)).toEqual([{ Pinned: true }, { Pinned: true }]);
  });

  test('the names of base and table are escaped in the URL', async () => {
    const table = 'Café & events/100%? #1';
    await using fixture = await startUpstream({ table });
    expect(await fixture.client.readRecords()).toHaveLength(3);
  });

  test('pages are requested no faster than the upstream allows', async () => {
    await using fixture = await startUpstream({ records: makeRecords(1100) });
    expect(await fixture.client.readRecords()).toHaveLength(1100);
    expect(fixture.upstream.stats()).toMatchObject({ pagesServed: 11, rateLimited: 0 });
  });

  const reasons: Readonly<Record<Exclude<Fault['kind'], 'slow'>, string>> = {
    '401': 'credentials_rejected (401)',
    '403': 'not_permitted_or_not_found (403)',
    '404': 'not_found (404)',
    '422': 'request_rejected (422)',
    '429': 'rate_limited (429)',
    '429-errors': 'rate_limited (429)',
    '429-billing': 'quota_exhausted (429)',
    '500-html': 'server_error (500)',
    '502-html': 'server_error (502)',
    '503': 'unavailable (503)',
    '200-html': 'malformed (200)',
    hang: 'timeout',
    'hang-body': 'timeout',
    drip: 'timeout',
    cut: 'network',
    reset: 'network',
    'broken-json': 'malformed (200)',
    'wrong-schema': 'malformed (200)',
    'wrong-record': 'malformed (200)',
    huge: 'too_large (200)',
    'expired-iterator': 'iterator_expired',
    redirect: 'unexpected_status (302)',
  };
  const failing = faultKinds.filter((kind) => kind !== 'slow');

  test.for(failing)(
    'the fault %s is a 502 with our own reason, and reveals nothing about the upstream',
    async (kind) => {
      await using fixture = await startUpstream(
        { records: makeRecords(150) },
        // The size limit of an endless body is reached late on a slow machine.
        { requestTimeoutMs: reasons[kind] === 'timeout' ? 3_000 : 10_000, firstRetryMs: 20 },
      );
      fixture.upstream.setFault({ kind });
      const error = await failureOf(fixture.client.readRecords());
      expect(error.reason).toBe(reasons[kind]);
      const shown =
        inspect(error, { depth: 10, showHidden: true }) +
        (await respondWithApiError(error, 'https://x.example').text());
      expect(shown).not.toContain(faultCanary);
      expect(shown).not.toContain(fixture.upstream.url);
      expect(shown).not.toContain(fixture.upstream.token);
      fixture.upstream.setFault(null);
      if (!kind.startsWith('429')) expect(await fixture.client.readRecords()).toHaveLength(150);
    },
  );

  test.for(wrongSchemaVariants)(
    'a 200 with the wrong schema (%s) is malformed',
    async (variant) => {
      await using fixture = await startUpstream();
      fixture.upstream.setFault({ kind: 'wrong-schema', variant });
      const error = await failureOf(fixture.client.readRecords());
      expect(error.failure.reason).toBe('malformed');
    },
  );

  test('a fault on a later page fails the whole read', async () => {
    await using fixture = await startUpstream({ records: makeRecords(250) });
    fixture.upstream.setFault({ kind: '500-html', on: 'later pages' });
    expect((await failureOf(fixture.client.readRecords())).reason).toBe('server_error (500)');
  });

  test('no fault puts text of the upstream into the log', async () => {
    await using fixture = await startUpstream();
    const log = createTestLog();
    const timeZone = createTimeZone('UTC');
    const source = createAirtableSource(fixture.client, 'UTC');
    const loader = createEventsLoader({ source, timeZone, now: Date.now, cacheSeconds: 240, log });
    for (const kind of ['401', '403', '422', '200-html', 'wrong-record', '429'] as const) {
      fixture.upstream.setFault({ kind });
      await failureOf(loader.current());
    }
    expect(log.lines).toHaveLength(6);
    expect(log.text()).not.toMatch(/canary|patTest|127\.0\.0\.1/);
  });

  test('a slow response within the timeout is used', async () => {
    await using fixture = await startUpstream();
    fixture.upstream.setFault({ kind: 'slow', delayMs: 300 });
    expect(await fixture.client.readRecords()).toHaveLength(3);
  });

  test('a request that takes too long is aborted, and its connection closed', async ({
    expect,
  }) => {
    await using fixture = await startUpstream({}, { requestTimeoutMs: 4_000 });
    fixture.upstream.setFault({ kind: 'hang-body', times: 1 });
    expect((await failureOf(fixture.client.readRecords())).reason).toBe('timeout');
    expect(await fixture.client.readRecords()).toHaveLength(3);
    await waitFor(() => expect(fixture.upstream.stats().openRequests).toBe(0));
  });

  test('a read has a deadline of its own, even if each page is in time', async () => {
    await using fixture = await startUpstream(
      { records: makeRecords(1000) },
      { readTimeoutMs: 700 },
    );
    fixture.upstream.setFault({ kind: 'slow', delayMs: 250 });
    expect((await failureOf(fixture.client.readRecords())).reason).toBe('timeout');
  });

  test('a read lasts as long as pages arrive, and no longer', async () => {
    const limits = { pageTimeoutMs: 3_000, readTimeoutMs: 60_000 };
    await using fixture = await startUpstream({ records: makeRecords(500) }, limits);
    fixture.upstream.setFault({ kind: 'slow', delayMs: 800 });
    // Five pages take longer than one may.
    expect(await fixture.client.readRecords()).toHaveLength(500);
    fixture.upstream.setFault({ kind: 'hang', on: 'later pages' });
    expect((await failureOf(fixture.client.readRecords())).reason).toBe('timeout');
  });

  test('a 503 is retried after its Retry-After', async () => {
    await using fixture = await startUpstream();
    fixture.upstream.setFault({ kind: '503', retryAfterSeconds: 1, times: 1 });
    const startedAt = performance.now();
    expect(await fixture.client.readRecords()).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    expect(fixture.upstream.stats().listRequests).toBe(2);
  });

  test('a 503 with a Retry-After beyond the deadline fails at once, with that time', async () => {
    await using fixture = await startUpstream();
    fixture.upstream.setFault({ kind: '503', retryAfterSeconds: 60 });
    const error = await failureOf(fixture.client.readRecords());
    expect(error.reason).toBe('unavailable (503)');
    expect(error.headers).toEqual({ 'Retry-After': '60' });
    expect(fixture.upstream.stats().listRequests).toBe(1);
  });

  test('a connection that breaks once is retried', async () => {
    await using fixture = await startUpstream({ records: makeRecords(150) });
    fixture.upstream.setFault({ kind: 'cut', on: 'later pages', times: 1 });
    expect(await fixture.client.readRecords()).toHaveLength(150);
  });

  test.for(['429', '429-errors', '429-billing'] as const)(
    'after a %s there are no requests for 30 seconds',
    async (kind) => {
      let aheadMs = 0;
      await using fixture = await startUpstream({}, { uptime: () => performance.now() + aheadMs });
      fixture.upstream.setFault({ kind, times: 1 });
      const first = await failureOf(fixture.client.readRecords());
      expect(Number(first.headers['Retry-After'])).toBeGreaterThanOrEqual(29);
      const second = await failureOf(fixture.client.readRecords());
      expect(second.failure.reason).toBe('rate_limited');
      expect(fixture.upstream.stats().listRequests).toBe(1);
      aheadMs = 30_100;
      expect(await fixture.client.readRecords()).toHaveLength(3);
    },
  );

  test('a 429 within a read, which others who use the base have caused, costs its pause and no page', async () => {
    const uptime = () => performance.now() * 8;
    await using fixture = await startUpstream(
      { records: makeRecords(250), requestsPerSecond: 1_000 },
      { uptime, pageTimeoutMs: 3_000 },
    );
    fixture.upstream.setFault({ kind: '429', on: 'later pages', times: 1 });
    expect(await fixture.client.readRecords()).toHaveLength(250);
    expect(fixture.upstream.stats().listRequests).toBe(4);
  });

  test('a pause that is longer than what is left of a read ends it', async () => {
    await using fixture = await startUpstream(
      { records: makeRecords(250) },
      { readTimeoutMs: 20_000 },
    );
    fixture.upstream.setFault({ kind: '429', on: 'later pages', times: 1 });
    const { failure } = await failureOf(fixture.client.readRecords());
    expect(failure).toMatchObject({ reason: 'rate_limited', retryAfterMs: expect.any(Number) });
  });

  test('reads in a row never reach the rate limit of the upstream', async () => {
    await using fixture = await startUpstream();
    for (let read = 0; read < 8; read++) await fixture.client.readRecords();
    expect(fixture.upstream.stats().rateLimited).toBe(0);
  });

  test('a connection that is slow to open does not lead to a 429', async () => {
    await using fixture = await startUpstream({ records: makeRecords(800) });
    // The first request is under way for 400 ms, the next ones are not.
    const slow = createTcpServer((socket) => {
      const onward = connect(Number(new URL(fixture.upstream.url).port), '127.0.0.1');
      socket.pause();
      setTimeout(() => socket.pipe(onward).pipe(socket), 400);
      for (const end of [socket, onward]) end.on('error', () => {});
    });
    await using server = await listenOnLoopback(slow);
    const { token, baseId, table } = fixture.upstream;
    const client = createAirtableClient({ apiUrl: server.url, token, baseId, table });
    const read = await client.readRecords().catch((error: unknown) => error);
    await client.close();
    expect(fixture.upstream.stats().rateLimited).toBe(0);
    expect(read).toHaveLength(800);
  });

  test('of a view only its rows are read', async () => {
    const urls: string[] = [];
    const server = createServer((request, response) => {
      urls.push(request.url ?? '');
      response.end(JSON.stringify({ records: [] }));
    });
    await using upstream = await listenOnLoopback(server);
    const table = { apiUrl: upstream.url, token: 'pat', baseId: 'app1', table: 'Events' };
    for (const view of ['Coming & published', null]) {
      const client = createAirtableClient({ ...table, view });
      await client.readRecords();
      await client.close();
    }
    expect(urls).toEqual(['/v0/app1/Events?view=Coming+%26+published', '/v0/app1/Events']);
  });

  test('a read whose iterator expires starts again, and never mixes two generations', async () => {
    const changed = makeRecords(260, () => ({ Description: 'new' }));
    let rows = makeRecords(250, () => ({ Description: 'old' }));
    await using fixture = await startUpstream({
      records() {
        const current = rows;
        rows = changed;
        return current;
      },
    });
    fixture.upstream.setFault({ kind: 'expired-iterator', times: 1 });
    const records = await fixture.client.readRecords();
    expect(ids(records)).toEqual(ids(changed));
    expect(new Set(records.map((record) => record.fields.Description))).toEqual(new Set(['new']));
  });

  test('rows that change during a read are returned as they were at its start', async () => {
    await using fixture = await startUpstream({
      records: makeRecords(250, () => ({ Description: 'old' })),
    });
    const reading = fixture.client.readRecords();
    await waitFor(() => expect(fixture.upstream.stats().pagesServed).toBeGreaterThan(0));
    fixture.upstream.setRecords(makeRecords(10, () => ({ Description: 'new' })));
    const records = await reading;
    expect(records).toHaveLength(250);
    expect(new Set(records.map((record) => record.fields.Description))).toEqual(new Set(['old']));
  });

  test('an iterator that always expires fails after two restarts', async () => {
    await using fixture = await startUpstream({ records: makeRecords(150) });
    fixture.upstream.setFault({ kind: 'expired-iterator' });
    expect((await failureOf(fixture.client.readRecords())).reason).toBe('iterator_expired');
    expect(fixture.upstream.stats().listRequests).toBe(6);
  });

  test('the token is not sent to the target of a redirect', async () => {
    const seen: unknown[] = [];
    const target = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{"records":[]}');
    });
    await using elsewhere = await listenOnLoopback(target);
    await using fixture = await startUpstream();
    fixture.upstream.setFault({ kind: 'redirect', location: `${elsewhere.url}/v0/x` });
    expect((await failureOf(fixture.client.readRecords())).failure.reason).toBe(
      'unexpected_status',
    );
    expect(seen).toEqual([]);
  });

  test('an endless body is cut off', async () => {
    await using fixture = await startUpstream();
    fixture.upstream.setFault({ kind: 'huge', times: 1 });
    expect((await failureOf(fixture.client.readRecords())).failure.reason).toBe('too_large');
    await waitFor(() => expect(fixture.upstream.stats().openRequests).toBe(0));
    expect(await fixture.client.readRecords()).toHaveLength(3);
  });

  test('a refused connection has the reason `network`', async () => {
    const fixture = await startUpstream();
    const { url: apiUrl, token, baseId, table } = fixture.upstream;
    await fixture[Symbol.asyncDispose]();
    const client = createAirtableClient({ apiUrl, token, baseId, table }, { firstRetryMs: 20 });
    expect((await failureOf(client.readRecords())).reason).toBe('network');
    await client.close();
  });
});

async function failureOf(work: Promise<unknown>): Promise<AirtableError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AirtableError) return error;
  throw new Error(`no failure of the upstream: ${inspect(error)}`);
}
