import { expect, test } from 'vitest';
import { classifyUrl } from '#lib/site/pages/classify-url.ts';
import { linearGrowthMax, measureGrowth } from '../../../support/measure-growth.ts';

/** The URL by which a page is cached. */
function toCanonicalUrl(path: string, search: string): string {
  const url = classifyUrl(path, search, null);
  if (!('page' in url)) throw new Error(`${path} is not a page.`);
  return url.page.url;
}

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
  ['?view=list&q=jam', '/?q=jam&view=list'],
  ['?view=posters', '/'],
  ['?view=grid', '/?view=grid'],
  ['?x=1&status=nope', '/?status=nope'],
])('/%s is %s', ([search, expected]) => {
  expect(toCanonicalUrl('/', search)).toBe(expected);
});

test.for<[search: string, expected: string]>([
  ['', '/calendar'],
  ['?month=2026-12', '/calendar?month=2026-12'],
  ['?month=2026-12&utm_source=x&format=online', '/calendar?format=online&month=2026-12'],
  ['?from=2026-12-01&to=2026-12-02&page=2&q=jam', '/calendar?q=jam'],
  ['?month=banana&q=jam', '/calendar?month=invalid'],
  ['?month=2026-12&month=2027-01', '/calendar?month=invalid'],
  ['?month=2026-12&format=nope', '/calendar?format=nope&month=2026-12'],
])('/calendar%s is %s', ([search, expected]) => {
  expect(toCanonicalUrl('/calendar', search)).toBe(expected);
});

test.for<[search: string, expected: string]>([
  ['?page=2&month=2026-12&x=1', '/subscribe'],
  ['?q=jam&format=ONLINE', '/subscribe?format=online&q=jam'],
  ['?format=nope', '/subscribe?format=nope'],
])('/subscribe%s is %s', ([search, expected]) => {
  expect(toCanonicalUrl('/subscribe', search)).toBe(expected);
});

test('the Markdown of the directory has the same query', () => {
  expect(toCanonicalUrl('/index.md', '?x=1&q=jam&status=ended')).toBe('/?status=ended&q=jam');
});

test('a search that is too long stays so, and fits into headers', () => {
  const url = toCanonicalUrl('/', `?q=${'x'.repeat(10_000)}`);
  expect(url).toBe(`/?q=${'x'.repeat(300)}`);
});

test('other pages have no query', () => {
  expect(toCanonicalUrl('/docs/api', '?status=ended')).toBe('/docs/api');
  expect(toCanonicalUrl('/saved', '?id=recV7kQ2mXw4Tn9Lb')).toBe('/saved');
});

test('thousands of parameters take linear time', () => {
  const toUrl = (parameters: string) => toCanonicalUrl('/', `?${parameters}&q=jam`);
  const parameters = 'a&'.repeat(50_000);
  expect(toUrl(parameters)).toBe('/?q=jam');
  expect(measureGrowth(parameters, toUrl)).toBeLessThan(linearGrowthMax);
});

test.for<[search: string, expected: string]>([
  ['?utm_source=x&sort=name', '/models'],
  ['?sort=price&q=tide&can=tools&can=vision', '/models?q=tide&can=vision,tools&sort=price'],
])('/models%s is %s', ([search, expected]) => {
  expect(toCanonicalUrl('/models', search)).toBe(expected);
});

test('a page of members or admins has what was sent, in its order, cut to a bounded length', () => {
  const toUrl = (search: string) => toCanonicalUrl('/admin', search);
  expect(toUrl('?page=2&q=a%20b&role=editor')).toBe('/admin?page=2&q=a+b&role=editor');
  expect(toUrl(`?after=${'y'.repeat(5000)}`)).toHaveLength('/admin?after='.length + 3_000);
  expect(toUrl(`?${'a=b&'.repeat(200)}`)).toBe(`/admin?${Array(100).fill('a=b').join('&')}`);
  expect(toUrl('?q=a%00b&sort=%00&group=')).toBe('/admin?q=ab');
  expect(toCanonicalUrl('/account', '?models=a&models=b%00')).toBe('/account?models=a&models=b');
  const filtered = '?key=a&status=error&day=2026-11-26&sort=cost&after=5.req_1';
  expect(toCanonicalUrl('/account/requests', filtered)).toBe(`/account/requests${filtered}`);
});
