import { expect, test } from 'vitest';
import { toCanonicalUrl } from '#lib/pages/canonical-url.ts';

test.for<[search: string, expected: string]>([
  ['', '/'],
  ['?utm_source=newsletter', '/'],
  ['?q=', '/'],
  ['?page=1', '/'],
  ['?q=jam&status=ongoing', '/?status=ongoing&q=jam'],
  ['?status=ongoing&utm_source=x&q=jam', '/?status=ongoing&q=jam'],
  ['?status=ONGOING', '/?status=ongoing'],
  ['?status=upcoming&status=ongoing', '/?status=ongoing,upcoming'],
  ['?page=2&status=ended', '/?status=ended&page=2'],
  ['?x=1&status=nope', '/?status=nope'],
])('/%s is %s', ([search, expected]) => {
  expect(toCanonicalUrl('/', search)).toBe(expected);
});

test('the Markdown of the directory has the same query', () => {
  expect(toCanonicalUrl('/index.md', '?x=1&q=jam&status=ended')).toBe(
    '/index.md?status=ended&q=jam',
  );
});

test.each(['/docs/api', '/docs/api.md', '/events/lantern-jam', '/nothing'])(
  '%s has no query',
  (path) => {
    expect(toCanonicalUrl(path, '?status=ended')).toBe(path);
  },
);
