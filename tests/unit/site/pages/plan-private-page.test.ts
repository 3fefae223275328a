import { expect, test } from 'vitest';
import { toCanonicalUrl } from '#lib/site/pages/canonical-url.ts';
import { classifyUrl } from '#lib/site/pages/classify-url.ts';
import { planPrivatePage } from '#lib/site/pages/plan-private-page.ts';

type Found = Readonly<{ isAdmin: boolean }> | null;

/** What a browser with this session gets for an admin page. */
function plan(findSession: (() => Promise<Found>) | null) {
  const members = findSession === null ? null : { findSession };
  return planPrivatePage(members, 'admin', '/admin/keys?q=x', new Headers());
}

test('an admin gets the page, other members a 404, visitors the sign-in that leads back', async () => {
  const url = '/admin/keys?q=x';
  expect(await plan(async () => ({ isAdmin: true }))).toEqual({
    kind: 'private',
    url,
    status: 200,
  });
  expect(await plan(async () => ({ isAdmin: false }))).toBeNull();
  expect(await plan(async () => null)).toEqual({
    kind: 'private',
    url: '/account?to=%2Fadmin%2Fkeys',
    status: 200,
  });
});

test('while sessions cannot be read nobody is an admin, and the page is a 503; without accounts there are no such pages', async () => {
  const broken = await plan(() => Promise.reject(new Error('away')));
  expect(broken).toEqual({ kind: 'private', url: '/account?to=%2Fadmin%2Fkeys', status: 503 });
  expect(await plan(null)).toBeNull();
});

test.each([
  ['/admin', 'admin'],
  ['/admin/groups', 'admin'],
  ['/admin/log', 'admin'],
  ['/admin/members/mbr_x-1', 'admin'],
  ['/admin/members', 'unknown'],
  ['/admin/members/x/y', 'unknown'],
  ['/admin/nothing', 'unknown'],
  ['/admin/keys/x', 'unknown'],
])('%s is a page of the kind %s', (path, kind) => {
  expect(classifyUrl(path, 'text/html')).toEqual({ kind: 'page', page: { kind } });
});

test('of the query only what an admin page knows is left, cut to a bounded length', () => {
  const toUrl = (search: string) => toCanonicalUrl({ kind: 'admin' }, '/admin', search);
  expect(toUrl('?x=1&page=2&q=a%20b&utm=3')).toBe('/admin?q=a+b&page=2');
  expect(toUrl('?x=1')).toBe('/admin');
  expect(toUrl(`?q=${'y'.repeat(5000)}`)).toHaveLength('/admin?q='.length + 300);
});
