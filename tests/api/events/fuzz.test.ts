import { METHODS } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listParameters } from '#lib/events/query/query-parameters.ts';
import { type HttpResponse, send } from '../../support/clients/http-client.ts';
import { expectCommonHeaders, readApiError } from '../../support/responses/api-responses.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

const oddWords = String.raw`upcoming ongoing ended startDate name asc desc CAD both online 1 0 100 101 -1 1e2 2026-02-29 2026-11-21 night % %2 %zz %00 %ff %C0%AF %ED%A0%80 %2C %26 %3D %2F + # , ; [] [0] . .. __proto__ constructor toString null NaN * ( .* ' " < > | \ { } ^ ~ $ @ ! :`;

const names = Object.keys(listParameters);
const piece = fc.oneof(
  fc.constantFrom(...names, ...oddWords.split(' '), '', '`'),
  fc
    .string({ unit: 'binary', maxLength: 6 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  // Printable ASCII without spaces.
  fc.stringMatching(/^[!-~]{0,6}$/),
);

const pieces = (max: number) => fc.array(piece, { maxLength: max }).map((parts) => parts.join(''));

const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names), pieces(2)), pieces(3)), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const knownSegments = ['api', 'v1', 'events', 'rss', 'docs', 'index.md', 'markdown'];
const path = fc
  .array(fc.oneof(fc.constantFrom(...knownSegments), pieces(3)), { maxLength: 6 })
  .map((segments) => `/${segments.join('/')}`);

const oddTypes = ['*/*', 'text/*', '*', 'a/b', ''];
const accept = fc
  .array(
    fc.tuple(
      fc.constantFrom('text/html', 'text/markdown', 'application/json', ...oddTypes),
      fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';q=x', ';q=', ';v=1;q=.3', ';'),
    ),
    { maxLength: 4 },
  )
  .map((ranges) => ranges.join(','));

const method = fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT'));

const runs = { numRuns: 250 } as const;

/** Expects a documented response of the API. */
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

test('any method, path, query and Accept under /api gives a documented response', async () => {
  await fc.assert(
    fc.asyncProperty(method, path, query, accept, async (verb, tail, search, accepted) => {
      const target = `/api/v1${tail}${search === '' ? '' : `?${search}`}`;
      const response = await send(server, target, { method: verb, headers: { accept: accepted } });
      // Dot segments may leave the API.
      const { pathname } = new URL(target.split(/[?#]/)[0] ?? '', 'http://a');
      if (pathname.startsWith('/api/')) expectDocumented(response, verb === 'HEAD');
      else expect(response.status).toBeLessThan(500);
    }),
    runs,
  );
});

test('no URL and no Accept header gives a server error', async () => {
  await fc.assert(
    fc.asyncProperty(path, accept, async (url, accepted) => {
      const response = await send(server, url, { headers: { accept: accepted } });
      expect(response.status, `${url} ${response.text.slice(0, 80)}`).toBeLessThan(500);
    }),
    runs,
  );
});

const fill = (text: string) => [...text.repeat(200)].slice(0, 200).join('').toWellFormed();

test.each([
  ' ',
  'a\u0301',
  '\u0301',
  '\u200d',
  '\u202e',
  '\ufdfa ',
  'กรุงเทพ ',
  '東京',
  'القاهرة ',
  '👩\u200d👩\u200d👧 ',
  'near ',
  'closest to a ',
  'within 9 km of ',
  'dec ',
  '5-7 ',
  '- ',
  'from ',
  'morgen ',
  'europe ',
  'portland or ',
  'a,b(c)',
  '(((a+)+)+)',
  '\\',
  '"',
  '%',
])('a search for 200 characters of “%s” is answered everywhere', async (text) => {
  const q = encodeURIComponent(fill(text));
  for (const path of ['/api/v1/events', '/api/v1/events/rss', '/search-notes', '/', '/index.md']) {
    const { status } = await send(server, `${path}?q=${q}`);
    expect(status, path).toBe(200);
  }
});

test('a search of any text is answered', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .array(fc.constantFrom(...oddWords.split(' '), 'near', 'before', 'km', 'of', 'lisbon', '9'), {
        maxLength: 12,
      })
      .map((words) => words.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (q) => {
      const { status } = await send(server, `/api/v1/events?q=${encodeURIComponent(q)}`);
      // Control characters and long texts are refused.
      expect([200, 400]).toContain(status);
      const notes = await send(server, `/search-notes?q=${encodeURIComponent(q)}`);
      expect(notes.status).toBeLessThan(500);
    }),
    { numRuns: 200 },
  );
});
