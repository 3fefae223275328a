import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMarkdownPath } from '#lib/events/view/site-urls.ts';
import { type ClassifiedUrl, classifyUrl } from '#lib/site/pages/classify-url.ts';
import { pageTable } from '#lib/site/pages/page-table.ts';
import { type RoutePath, routePaths } from '#lib/site/pages/routes.ts';

const html = 'text/html';
const page = (kind: string, label: string, name = '') => ({ kind, page: label, name });
const route = (path: RoutePath, params = {}) => ({
  kind: 'route',
  route: path,
  params,
});

test.for<[path: string, accept: string | null, expected: object]>([
  ['/', html, page('page', '/')],
  ['/', null, page('page', '/')],
  ['/', 'text/markdown', page('markdown', '/')],
  ['/', 'text/html, text/markdown', page('markdown', '/')],
  ['/', 'text/html, text/markdown;q=0.9', page('page', '/')],
  ['/', 'text/markdown;q=0, */*', page('page', '/')],
  ['/', 'image/png', page('not-acceptable', '/')],
  ['/', 'text/plain', page('plain-text', '/')],
  ['/', 'application/json', page('json', '/')],
  ['/', 'application/json, */*;q=0.5', page('json', '/')],
  ['/', 'application/json, text/plain', page('json', '/')],
  ['/', 'application/json, text/plain, */*', page('page', '/')],
  ['/', 'application/*', page('not-acceptable', '/')],
  [
    '/events/lantern-jam',
    'text/html;q=0.5, application/json',
    page('json', '/events/[slug]', 'lantern-jam'),
  ],
  ['/docs', 'application/json', page('not-acceptable', '/docs/[[...page]]')],
  ['/docs', 'application/json, */*;q=0.5', page('page', '/docs/[[...page]]')],
  ['/plain-text/docs', html, page('page', 'unknown')],
  ['/events/lantern-jam', html, page('page', '/events/[slug]', 'lantern-jam')],
  ['/events/caf%C3%A9', html, page('page', '/events/[slug]', 'café')],
  ['/events/a%2Fb', html, page('page', '/events/[slug]', 'a/b')],
  ['/events', html, page('page', 'unknown')],
  ['/events/a/b', html, page('page', 'unknown')],
  ['/docs', html, page('page', '/docs/[[...page]]')],
  ['/docs/api', html, page('page', '/docs/[[...page]]', 'api')],
  ['/docs/try', html, route('/docs/try')],
  ['/models', html, page('page', '/models')],
  ['/calendar', html, page('page', '/calendar')],
  ['/calendar.md', html, page('markdown', '/calendar')],
  ['/subscribe', html, page('page', '/subscribe')],
  ['/subscribe/x', html, page('page', 'unknown')],
  ['/constructor', html, page('page', 'unknown')],
  ['/no-month', html, page('page', 'unknown')],
  ['/embed', 'text/markdown', route('/embed')],
  ['/oembed', null, route('/oembed')],
  ['/saved', html, page('page', '/saved')],
  ['/saved/x', html, page('page', 'unknown')],
  ['/saved.md', html, page('markdown', '/saved')],
  ['/unavailable', html, page('page', 'unknown')],
  ['/missing/x', html, page('page', 'unknown')],
  ['/markdown/docs', html, page('page', 'unknown')],
  ['/calendar/x', html, page('page', 'unknown')],
  ['/index.html.md', html, page('markdown', '/')],
  ['/index.md', html, page('markdown', '/')],
  ['/docs/api.md', 'application/json', page('markdown', '/docs/[[...page]]', 'api')],
  ['/docs/.md', html, page('markdown', '/docs/[[...page]]', '.md')],
  ['/events/lantern-jam.ics', 'image/png', { kind: 'calendar', slug: 'lantern-jam' }],
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
  ['/favicon.ico', null, { kind: 'static', path: '/favicon.ico' }],
  ['/_next/static/a.js', null, { kind: 'static', path: '/_next/static/a.js' }],
  ['/_next/image', 'text/markdown', { kind: 'static', path: '/_next/image' }],
  ['/%zz', html, { kind: 'malformed' }],
  ['/events/%ff.md', html, { kind: 'malformed' }],
  ['/admin/members/a%00b', html, { kind: 'malformed' }],
])('%s with Accept: %s', ([path, accept, expected]) => {
  expect(summarize(classifyUrl(path, '', accept))).toEqual(expected);
});

function summarize({ label: _, ...url }: ClassifiedUrl): object {
  return 'page' in url ? page(url.kind, url.page.row.label, url.page.name) : url;
}

/** The URL paths of the directories of `app/` with such a file. */
async function listDirectories(file: RegExp): Promise<string[]> {
  const app = `${import.meta.dirname}/../../../../app`;
  const files = await readdir(app, { recursive: true });
  const paths = files.filter((path) => file.test(path)).map((path) => `/${dirname(path)}`);
  return paths.map((path) => path.replace(/\/\([^)]*\)|\/\.$/g, '') || '/').toSorted();
}

test('every route.ts of the app is in the list of routes', async () => {
  expect([...routePaths].toSorted()).toEqual(await listDirectories(/(?:^|\/)route\.tsx?$/));
});

test('every page.tsx of the app is in the table of pages', async () => {
  const directories = await listDirectories(/(?:^|\/)page\.tsx$/);
  const paths = pageTable.flatMap(({ label, others = [], loadText }) =>
    loadText === undefined || directories.includes(label) ? [label, ...others] : [],
  );
  // Pages that only the plans of others lead to.
  const internal = [
    '/text/[...path]',
    '/missing-group/[kind]/[[...nearest]]',
    '/missing/[[...nearest]]',
    '/removed/[[...nearest]]',
    '/no-month',
    '/unavailable',
  ];
  expect([...paths, ...internal].toSorted()).toEqual(directories);
});

function typeOf(path: string, accept: string | null): string {
  const url = classifyUrl(path, '', accept);
  if (url.kind === 'page') return 'html';
  if (url.kind === 'plain-text') return 'text';
  if (url.kind === 'json') return 'json';
  return url.kind === 'markdown' ? 'markdown' : 'none';
}

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
      expect(classifyUrl(path, '', null)).toMatchObject({
        kind: 'markdown',
        page: { path: `/${segments.join('/')}` },
      });
    }),
  );
});

test.each(['/lantern-jam.ics', '/events/.ics', '/events/a/b.ics', '/docs/api.ics'])(
  '%s is not a calendar file',
  (path) => {
    expect(classifyUrl(path, '', null).kind).toBe('page');
  },
);
