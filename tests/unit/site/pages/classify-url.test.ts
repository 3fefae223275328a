import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptCases, knownClients } from '#lib/representations/docs/accept-table.ts';
import {
  classifyUrl,
  type Page,
  toMarkdownPath,
  type UrlClass,
} from '#lib/site/pages/classify-url.ts';
import { negotiatedPaths, routePaths } from '#lib/site/pages/route-paths.ts';

const html = 'text/html';
const markdown = (page: Page, ...segments: string[]): UrlClass => ({
  kind: 'markdown',
  page,
  segments,
});
const route = (path: (typeof routePaths)[number], params = {}): UrlClass => ({
  kind: 'route',
  route: path,
  params,
});

test.for<[path: string, accept: string | null, expected: UrlClass]>([
  ['/', html, { kind: 'page', page: { kind: 'directory' } }],
  ['/', null, { kind: 'page', page: { kind: 'directory' } }],
  ['/', 'text/markdown', markdown({ kind: 'directory' })],
  ['/', 'image/png', { kind: 'not-acceptable' }],
  ['/', 'text/plain', { kind: 'plain-text', page: { kind: 'directory' }, segments: [] }],
  ['/', 'application/json', { kind: 'json', page: { kind: 'directory' } }],
  ['/', 'application/json, */*;q=0.5', { kind: 'json', page: { kind: 'directory' } }],
  ['/', 'application/json, text/plain', { kind: 'json', page: { kind: 'directory' } }],
  ['/', 'application/json, text/plain, */*', { kind: 'page', page: { kind: 'directory' } }],
  ['/', 'application/*', { kind: 'not-acceptable' }],
  [
    '/events/lantern-jam',
    'text/html;q=0.5, application/json',
    { kind: 'json', page: { kind: 'event', slug: 'lantern-jam' } },
  ],
  ['/docs', 'application/json', { kind: 'not-acceptable' }],
  ['/docs', 'application/json, */*;q=0.5', { kind: 'page', page: { kind: 'docs', name: '' } }],
  ['/plain-text/docs', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/events/lantern-jam', html, { kind: 'page', page: { kind: 'event', slug: 'lantern-jam' } }],
  ['/events/caf%C3%A9', html, { kind: 'page', page: { kind: 'event', slug: 'café' } }],
  ['/events/a%2Fb', html, { kind: 'page', page: { kind: 'event', slug: 'a/b' } }],
  ['/events', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/events/a/b', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/docs', html, { kind: 'page', page: { kind: 'docs', name: '' } }],
  ['/docs/api', html, { kind: 'page', page: { kind: 'docs', name: 'api' } }],
  ['/docs/try', html, route('/docs/try')],
  ['/models', html, { kind: 'page', page: { kind: 'models' } }],
  ['/calendar', html, { kind: 'page', page: { kind: 'month' } }],
  ['/calendar.md', html, markdown({ kind: 'month' }, 'calendar')],
  ['/subscribe', html, { kind: 'page', page: { kind: 'subscribe' } }],
  ['/subscribe/x', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/constructor', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/no-month', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/embed', 'text/markdown', route('/embed')],
  ['/oembed', null, route('/oembed')],
  ['/saved', html, { kind: 'page', page: { kind: 'saved' } }],
  ['/saved/x', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/saved.md', html, markdown({ kind: 'saved' }, 'saved')],
  ['/unavailable', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/missing/x', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/markdown/docs', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/calendar/x', html, { kind: 'page', page: { kind: 'unknown' } }],
  ['/index.md', html, markdown({ kind: 'directory' })],
  ['/docs/api.md', 'application/json', markdown({ kind: 'docs', name: 'api' }, 'docs', 'api')],
  ['/docs/.md', html, markdown({ kind: 'docs', name: '.md' }, 'docs', '.md')],
  ['/events/lantern-jam.ics', 'image/png', { kind: 'calendar', event: 'lantern-jam' }],
  ['/api', null, route('/api/[[...unmatched]]')],
  ['/api/v2/x', null, route('/api/[[...unmatched]]')],
  ['/api/v1/events', html, route('/api/v1/events')],
  ['/api/v1/events/rss', null, route('/api/v1/events/rss')],
  ['/api/v1/events/a%2Fb', null, route('/api/v1/events/[idOrSlug]', { idOrSlug: 'a%2Fb' })],
  ['/api/v1/events/%zz', null, route('/api/v1/events/[idOrSlug]', { idOrSlug: '%zz' })],
  ['/proxy/v1/models', null, route('/proxy/v1/models')],
  ['/proxy/v1/models/vendor/model%3Afree', null, route('/proxy/v1/models/[...id]')],
  ['/proxy/v1/embeddings', null, route('/proxy/v1/embeddings')],
  ['/proxy', null, route('/proxy')],
  ['/proxy/v2/x', null, route('/proxy/[...unmatched]')],
  ['/proxy/v1/messages', null, route('/proxy/v1/messages')],
  ['/proxy/v1/messages/count_tokens', null, route('/proxy/v1/messages/count_tokens')],
  ['/proxy/v1/messages/batches', null, route('/proxy/v1/messages/batches/[[...rest]]')],
  ['/proxy/v1/messages/batches/x', null, route('/proxy/v1/messages/batches/[[...rest]]')],
  ['/media/og.jpg', null, route('/media/og.jpg')],
  ['/media/og/x.jpg', null, route('/media/og/[file]', { file: 'x.jpg' })],
  ['/llms.txt', 'text/markdown', route('/llms.txt')],
  ['/favicon.ico', null, { kind: 'static' }],
  ['/_next/static/a.js', null, { kind: 'static' }],
  ['/_next/image', 'text/markdown', { kind: 'static' }],
  ['/%zz', html, { kind: 'malformed' }],
  ['/events/%ff.md', html, { kind: 'malformed' }],
])('%s with Accept: %s', ([path, accept, expected]) => {
  expect(classifyUrl(path, accept)).toEqual(expected);
});

test('every route.ts of the app has its path in the table', async () => {
  const app = `${import.meta.dirname}/../../../../app`;
  const files = await readdir(app, { recursive: true });
  const paths = files
    .filter((file) => /(?:^|\/)route\.tsx?$/.test(file))
    .map((file) => `/${dirname(file)}`.replace(/\/\([^)]*\)/g, ''));
  expect([...routePaths, ...negotiatedPaths].toSorted()).toEqual(paths.toSorted());
});

function typeOf(path: string, accept: string | null): string {
  const url = classifyUrl(path, accept);
  if (url.kind === 'page') return 'html';
  if (url.kind === 'plain-text') return 'text';
  if (url.kind === 'json') return 'json';
  return url.kind === 'markdown' ? 'markdown' : 'none';
}

test.for([...knownClients, ...acceptCases])(
  '$client, Accept: $accept, gets $selects',
  ({ accept, selects }) => {
    expect(typeOf('/', accept)).toBe(selects);
    expect(typeOf('/docs', accept)).toBe(selects === 'json' ? 'none' : selects);
  },
);

test('a blank Accept header is like none', () => {
  expect(typeOf('/docs', ' ')).toBe('html');
});

test('the order of the Accept header makes no difference', () => {
  const accept = ['*/*;q=0.1', 'text/html;q=0.7', 'text/markdown', 'text/plain;q=0.8'];
  fc.assert(
    fc.property(fc.shuffledSubarray(accept, { minLength: 4 }), (shuffled) => {
      expect(typeOf('/', shuffled.join(', '))).toBe('markdown');
    }),
  );
});

test('the Markdown path of a page leads to the Markdown of that page', () => {
  const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), (segments) => {
      fc.pre(segments.join('/') !== 'index');
      const path = toMarkdownPath(`/${segments.join('/')}`);
      expect(classifyUrl(path, null)).toMatchObject({ kind: 'markdown', segments });
    }),
  );
});

test.each(['/lantern-jam.ics', '/events/.ics', '/events/a/b.ics', '/docs/api.ics'])(
  '%s is not a calendar file',
  (path) => {
    expect(classifyUrl(path, null)).toEqual({
      kind: 'page',
      page: expect.objectContaining({}),
    });
  },
);
