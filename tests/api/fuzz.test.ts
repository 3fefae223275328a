import { METHODS } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listParameters } from '#lib/events/query/events-query.ts';
import {
  expectCommonHeaders,
  readApiError,
  readEventItem,
  readEventList,
} from '../support/api-forms.ts';
import { type Answer, ask } from '../support/http-client.ts';
import { runServerForTests } from '../support/running-server.ts';

const server = runServerForTests();

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
function expectDocumented(answer: Answer, head: boolean): void {
  if (answer.status === 308) return;
  expect(answer.status).toBeLessThan(500);
  expectCommonHeaders(answer);
  if (head || answer.status === 204) {
    expect(answer.body.length).toBe(0);
  } else if (answer.status >= 400) {
    readApiError(answer);
  } else {
    expect(answer.status).toBe(200);
  }
}

test('no query of the list gives anything but a list or a documented error', async () => {
  await fc.assert(
    fc.asyncProperty(query, accept, async (given, accepted) => {
      const answer = await ask(server, `/api/v1/events?${given}`, {
        headers: { accept: accepted },
      });
      if (answer.status === 200) readEventList(answer);
      else expect([400, 406]).toContain(readApiError(answer).status);
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
      const answer = await ask(server, `${address}?${given}`);
      if (answer.status !== 200) readApiError(answer, 'bad_request');
    }),
    { numRuns: 100 },
  );
});

test('no name of an event gives anything but an event or a documented error', async () => {
  const segment = pieces(4).filter((text) => !/[/?#\\]/.test(text) && !/^\.{0,2}$/.test(text));
  await fc.assert(
    fc.asyncProperty(segment, async (name) => {
      const answer = await ask(server, `/api/v1/events/${name}`);
      if (answer.status === 200 && !/^(?:rss|feed\.json|calendar\.ics)$/.test(name)) {
        readEventItem(answer);
      } else expectDocumented(answer, false);
    }),
    runs,
  );
});

test('no method, path, query and Accept under /api gives an undocumented answer', async () => {
  await fc.assert(
    fc.asyncProperty(method, path, query, accept, async (verb, tail, given, accepted) => {
      const target = `/api/v1${tail}${given === '' ? '' : `?${given}`}`;
      const answer = await ask(server, target, { method: verb, headers: { accept: accepted } });
      // Dot segments may lead out of the API.
      const { pathname } = new URL(target.split(/[?#]/)[0] ?? '', 'http://a');
      if (pathname.startsWith('/api/')) expectDocumented(answer, verb === 'HEAD');
      else expect(answer.status).toBeLessThan(500);
    }),
    runs,
  );
});

test('no address and no Accept of a page gives a server error', async () => {
  await fc.assert(
    fc.asyncProperty(path, accept, async (address, accepted) => {
      const answer = await ask(server, address, { headers: { accept: accepted } });
      expect(answer.status, `${address} ${answer.text.slice(0, 80)}`).toBeLessThan(500);
    }),
    runs,
  );
});

test('no Accept header makes a page anything but HTML, Markdown or a 406', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(accept, pieces(5)), async (accepted) => {
      const answer = await ask(server, '/docs', { headers: { accept: accepted } });
      expect(answer.header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      if (answer.status === 406) return;
      expect(answer.status).toBe(200);
      expect(answer.header('content-type')).toMatch(/^text\/(?:html|markdown); charset=utf-8$/);
    }),
    runs,
  );
});

test('no conditional header makes an answer anything but whole or a 304', async () => {
  const tag = fc.oneof(
    pieces(3),
    pieces(2).map((text) => `"${text}"`),
    fc.constant('*'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(tag, { maxLength: 4 }), pieces(2), async (tags, date) => {
      const headers = { 'if-none-match': tags.join(', '), 'if-modified-since': date };
      const answer = await ask(server, '/api/v1/events?limit=1', { headers });
      if (answer.status !== 304) readEventList(answer);
    }),
    runs,
  );
});
