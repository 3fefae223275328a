import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import type { JsonSchema } from '#lib/representations/openapi/schemas.ts';
import { send } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import {
  type DocumentedOperation,
  documentedOperations,
  expectDocumented,
} from '../../support/responses/documented-responses.ts';
import { startSite, startSiteInProcess, toDay } from '../../support/servers/marquee-server.ts';

/** Each response that the OpenAPI document has, caused and validated against it; and random requests. */

let aheadMs = 0;
let records = sampleRecords({ today: toDay(Date.now()), count: 30 });
const server = forTests(() =>
  startSiteInProcess({ records: () => records }, { now: () => Date.now() + aheadMs }),
);
const unconfigured = forTests(() => startSite({ settings: { AIRTABLE_TOKEN: '' } }));
let id = '';
let formerSlug = '';

beforeAll(async () => {
  const [event] = readEventList(await send(server, '/api/v1/events?limit=1')).data;
  id = event?.id ?? '';
  formerSlug = event?.slug ?? '';
  records = records.map((record) =>
    record.id === id ? { ...record, fields: { ...record.fields, Name: 'Another Name' } } : record,
  );
  aheadMs += 241_000;
});

const toUrl = ({ path }: DocumentedOperation, value = id) => path.replace('{idOrSlug}', value);

/** As many streams as a client may have, and one more. */
async function openTooMany(operation: DocumentedOperation) {
  const headers = { accept: 'text/event-stream' };
  const leaving = new AbortController();
  await Promise.all(
    Array.from({ length: 256 }, () =>
      fetch(server.url + toUrl(operation), { headers, signal: leaving.signal }),
    ),
  );
  const response = await send(server, toUrl(operation), { headers });
  leaving.abort();
  return response;
}

/** As many that wait for a turn as may wait, and one more, which no cache has. */
async function waitTooLong(operation: DocumentedOperation) {
  aheadMs += 241_000;
  await send(server, '/api/v1/events');
  const { promise, resolve } = Promise.withResolvers<void>();
  const turns = vi.spyOn(server.services, 'takeTurn');
  void server.services.takeTurn(new Request(server.url), 'held', () => promise);
  const waiting = Array.from({ length: 256 }, (_, index) =>
    send(server, `/api/v1/events?q=robots+${index}`),
  );
  await expect.poll(() => turns.mock.calls.length).toBe(257);
  const query = operation.path.includes('{') ? '' : '?limit=29';
  const response = await send(server, toUrl(operation) + query);
  resolve();
  await Promise.all(waiting);
  turns.mockRestore();
  return response;
}

type Cause = (operation: DocumentedOperation) => Promise<Awaited<ReturnType<typeof send>>>;

const causes: Readonly<Record<string, Cause>> = {
  200: (operation) => send(server, toUrl(operation)),
  async 304(operation) {
    const etag = (await send(server, toUrl(operation))).header('etag');
    return send(server, toUrl(operation), { headers: { 'if-none-match': etag } });
  },
  308: (operation) => send(server, toUrl(operation, formerSlug)),
  400: (operation) => send(server, `${toUrl(operation)}?limit=0`),
  404: (operation) => send(server, toUrl(operation, 'nobody')),
  406: (operation) => send(server, toUrl(operation), { headers: { accept: 'image/png' } }),
  429: (operation) =>
    operation.operationId === 'listChanges' ? openTooMany(operation) : waitTooLong(operation),
  500: (operation) => send(unconfigured, toUrl(operation)),
  async 502(operation) {
    aheadMs += 400_000;
    server.table.setFault({ kind: '500-html' });
    const response = await send(server, toUrl(operation));
    server.table.setFault(null);
    return response;
  },
};

const documented = documentedOperations.flatMap((operation) =>
  Object.keys(operation.responses).map(
    (status) => [operation.operationId, status, operation] as const,
  ),
);

test.each(documented)('the response of %s with the status %s is as documented', async (...row) => {
  const [, status, operation] = row;
  const response = await causes[status]?.(operation);
  expect(response?.status, response?.text).toBe(Number(status));
  if (response !== undefined) expectDocumented(operation, response);
});

/** What a client may send for a parameter: what its schema says, and what it does not. */
function toValues(schema: JsonSchema): fc.Arbitrary<string> {
  const {
    enum: choices,
    items,
    minimum,
    maximum,
    pattern,
  } = schema as JsonSchema & {
    pattern?: string;
  };
  const wrong = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '0', '-1'),
  );
  const right: fc.Arbitrary<string>[] = [];
  if (choices !== undefined) right.push(fc.constantFrom(...choices));
  if (items !== undefined) {
    right.push(fc.array(toValues(items), { maxLength: 4 }).map((values) => values.join(',')));
  }
  if (minimum !== undefined) {
    right.push(fc.integer({ min: minimum, max: maximum ?? minimum + 100 }).map(String));
  }
  if (pattern !== undefined) right.push(fc.stringMatching(new RegExp(pattern)));
  return fc.oneof(...right.map((arbitrary) => ({ weight: 6, arbitrary })), {
    weight: 2,
    arbitrary: wrong,
  });
}

function requireOperation(path: string): DocumentedOperation {
  const found = documentedOperations.find((operation) => operation.path === path);
  if (found === undefined) throw new Error(`no operation at ${path}`);
  return found;
}

/** Of one operation; made once, since patterns are parsed. */
function toRequests({ path, parameters }: DocumentedOperation) {
  const named = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => fc.tuple(fc.constant(name), toValues(schema)));
  const unknown = fc.tuple(fc.string({ maxLength: 8 }), fc.string());
  return fc.record({
    path: fc.constant(path),
    idOrSlug: fc.oneof(
      fc.constantFrom('another-name', 'ANOTHER-name', '%', '\0'),
      fc.string({ unit: 'binary', minLength: 1 }),
    ),
    query: fc.array(fc.oneof(...named, unknown), { maxLength: 4 }),
    accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'image/png', ''),
  });
}

const anyRequest = fc.oneof(...documentedOperations.map(toRequests));

test('random requests get a documented response, never a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ path: template, idOrSlug, query, accept }) => {
      const operation = requireOperation(template);
      const search = new URLSearchParams(query.map(([key, value]) => [key, value])).toString();
      const segment = encodeURIComponent(idOrSlug.toWellFormed());
      // A dot segment is another path.
      if (operation.path.includes('{') && /^\.{1,2}$/.test(segment)) return;
      const path = toUrl(operation, segment) + (search === '' ? '' : `?${search}`);
      const response = await send(server, path, {
        headers: { accept },
      });
      expect(response.status).toBeLessThan(500);
      expectDocumented(operation, response);
    }),
    { numRuns: 500 },
  );
});
