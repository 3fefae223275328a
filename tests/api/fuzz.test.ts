import { METHODS } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listParameters } from '#lib/events/query/events-query.ts';
import {
  expectCommonHeaders,
  readApiError,
  readEventItem,
  readEventList,
} from '../support/api-responses.ts';
import { type HttpResponse, send } from '../support/http-client.ts';
import { shareServer } from '../support/running-server.ts';

const server = shareServer();

const piece = fc.oneof(
  fc.constantFrom(
    ...Object.keys(listParameters),
    ...[
      'upcoming',
      'ongoing',
      'ended',
      'startDate',
      'name',
      'asc',
      'desc',
      'CAD',
      'both',
      'online',
    ],
    ...['1', '0', '100', '101', '-1', '1e2', '2026-02-29', '2026-11-21', 'night', ''],
    ...[
      '%',
      '%2',
      '%zz',
      '%00',
      '%ff',
      '%C0%AF',
      '%ED%A0%80',
      '%2C',
      '%26',
      '%3D',
      '%2F',
      '+',
      '#',
    ],
    ...[',', ';', '[]', '[0]', '.', '..', '__proto__', 'constructor', 'toString', 'null', 'NaN'],
    ...['*', '(', '.*', "'", '"', '<', '>', '|', '\\', '`', '{', '}', '^', '~', '$', '@', '!', ':'],
  ),
  fc
    .string({ unit: 'binary', maxLength: 6 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  // Printable ASCII, without what would end a request line.
  fc.stringMatching(/^[!-~]{0,6}$/),
);

const pieces = (max: number) => fc.array(piece, { maxLength: max }).map((parts) => parts.join(''));

const query = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(listParameters)), pieces(2)), pieces(3)),
    {
      maxLength: 4,
    },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const path = fc
  .array(
    fc.oneof(
      fc.constantFrom('api', 'v1', 'events', 'rss', 'docs', 'index.md', 'markdown'),
      pieces(3),
    ),
    {
      maxLength: 6,
    },
  )
  .map((segments) => `/${segments.join('/')}`);

const accept = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'text/html',
        'text/markdown',
        'application/json',
        '*/*',
        'text/*',
        '*',
        'a/b',
        '',
      ),
      fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';q=x', ';q=', ';v=1;q=.3', ';'),
    ),
    { maxLength: 4 },
  )
  .map((ranges) => ranges.join(','));

const method = fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT'));

const runs = { numRuns: 250 } as const;

/** Whatever comes under `/api` is in a form that is documented. */
function expectDocumented(response: HttpResponse, head: boolean): void {
  if (response.status === 308) return;
  expect(response.status).toBeLessThan(500);
  expectCommonHeaders(response);
  if (head || response.status === 204) {
    expect(response.body.length).toBe(0);
  } else if (response.status >= 400) {
    readApiError(response);
  } else {
    expect(response.status).toBe(200);
  }
}

test('no query of the list gives anything but a list or a documented error', async () => {
  await fc.assert(
    fc.asyncProperty(query, accept, async (given, accepted) => {
      const response = await send(server, `/api/v1/events?${given}`, {
        headers: { accept: accepted },
      });
      if (response.status === 200) readEventList(response);
      else expect([400, 406]).toContain(readApiError(response).status);
    }),
    runs,
  );
});

test.each([
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
  '/api/v1/openapi.json',
])('no query of %s gives anything but the document or a 400', async (address) => {
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const response = await send(server, `${address}?${given}`);
      if (response.status !== 200) readApiError(response, 'bad_request');
    }),
    { numRuns: 100 },
  );
});

test('no name of an event gives anything but an event or a documented error', async () => {
  const segment = pieces(4).filter((text) => !/[/?#\\]/.test(text) && !/^\.{0,2}$/.test(text));
  await fc.assert(
    fc.asyncProperty(segment, async (name) => {
      const response = await send(server, `/api/v1/events/${name}`);
      if (response.status === 200 && !/^(?:rss|feed\.json|calendar\.ics)$/.test(name)) {
        readEventItem(response);
      } else expectDocumented(response, false);
    }),
    runs,
  );
});

test('no method, path, query and Accept under /api gives an undocumented response', async () => {
  await fc.assert(
    fc.asyncProperty(method, path, query, accept, async (verb, tail, given, accepted) => {
      const target = `/api/v1${tail}${given === '' ? '' : `?${given}`}`;
      const response = await send(server, target, { method: verb, headers: { accept: accepted } });
      // Dot segments may lead out of the API.
      const { pathname } = new URL(target.split(/[?#]/)[0] ?? '', 'http://a');
      if (pathname.startsWith('/api/')) expectDocumented(response, verb === 'HEAD');
      else expect(response.status).toBeLessThan(500);
    }),
    runs,
  );
});

test('no address and no Accept of a page gives a server error', async () => {
  await fc.assert(
    fc.asyncProperty(path, accept, async (address, accepted) => {
      const response = await send(server, address, { headers: { accept: accepted } });
      expect(response.status, `${address} ${response.text.slice(0, 80)}`).toBeLessThan(500);
    }),
    runs,
  );
});

test('no Accept header makes a page anything but HTML, Markdown or a 406', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(accept, pieces(5)), async (accepted) => {
      const response = await send(server, '/docs', { headers: { accept: accepted } });
      expect(response.header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      if (response.status === 406) return;
      expect(response.status).toBe(200);
      expect(response.header('content-type')).toMatch(/^text\/(?:html|markdown); charset=utf-8$/);
    }),
    runs,
  );
});

test('no conditional header makes a response anything but whole or a 304', async () => {
  const tag = fc.oneof(
    pieces(3),
    pieces(2).map((text) => `"${text}"`),
    fc.constant('*'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(tag, { maxLength: 4 }), pieces(2), async (tags, date) => {
      const headers = { 'if-none-match': tags.join(', '), 'if-modified-since': date };
      const response = await send(server, '/api/v1/events?limit=1', { headers });
      if (response.status !== 304) readEventList(response);
    }),
    runs,
  );
});
