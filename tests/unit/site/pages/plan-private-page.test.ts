import { expect, test, vi } from 'vitest';
import { classifyUrl } from '#lib/site/pages/classify-url.ts';
import { type PageParts, planAdmin } from '#lib/site/pages/plan-page.ts';

type Session = Readonly<{ isAdmin: boolean }> | null;

const adminRejected = vi.fn();

/** What a browser with this session gets for an admin page. */
function plan(findSession: (() => Promise<Session>) | null) {
  const members = findSession && { findSession, security: { adminRejected } };
  const parts = { members } as unknown as PageParts;
  return planAdmin({ url: '/admin/keys?q=x', name: '' }, parts, new Headers());
}

const notFound = { kind: 'error', url: '/404', status: 404 };

test('an admin gets the page, other members a 404, visitors the sign-in that leads back', async () => {
  const admin = { isAdmin: true };
  expect(await plan(async () => admin)).toEqual({
    kind: 'private',
    url: '/admin/keys?q=x',
    status: 200,
    session: admin,
  });
  expect(adminRejected).not.toHaveBeenCalled();
  expect(await plan(async () => ({ isAdmin: false }))).toEqual(notFound);
  expect(adminRejected).toHaveBeenCalledExactlyOnceWith({ isAdmin: false });
  expect(await plan(async () => null)).toEqual({
    kind: 'private',
    url: '/account?to=%2Fadmin%2Fkeys',
    status: 200,
    session: null,
  });
});

test('while sessions cannot be read nobody is an admin, and the page is a 503; without accounts there are no such pages', async () => {
  const broken = await plan(() => Promise.reject(new Error('away')));
  expect(broken).toEqual({
    kind: 'private',
    url: '/account?to=%2Fadmin%2Fkeys',
    status: 503,
    session: 'unreadable',
  });
  expect(await plan(null)).toEqual(notFound);
});

test.each([
  ['/admin', '/admin'],
  ['/admin/groups', '/admin'],
  ['/admin/log', '/admin'],
  ['/admin/members/mbr_x-1', '/admin'],
  ['/admin/members', '/admin'],
  ['/admin/members/x/y', 'unknown'],
  ['/admin/nothing', 'unknown'],
  ['/admin/keys/x', 'unknown'],
])('%s is a page of %s', (path, label) => {
  expect(classifyUrl(path, '', 'text/html')).toMatchObject({
    kind: 'page',
    page: { row: { label } },
  });
});
