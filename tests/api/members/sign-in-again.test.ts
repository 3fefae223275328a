import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import type { TestBrowser } from '../../support/members/test-browser.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

const site = forTests(() => startMembersInProcess());
let browser: TestBrowser;

// The provider is in this process, too.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  browser = site.open();
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

async function signIn(person: string): Promise<string> {
  await site.signIn(browser, person);
  return (await site.find(browser))?.member.id ?? '';
}

// ASVS 7.5.1
test.each([
  ['a new key', 'ada', '/account/keys', { name: 'later' }, '/account'],
  ['a rotated key', 'ada', '/account/keys/key_x', { action: 'rotate' }, '/account'],
  ['a group', 'root', '/admin/groups/change', { action: 'create' }, '/admin/groups'],
  [
    'a member',
    'root',
    '/admin/members/mbr_x/change',
    { action: 'disable' },
    '/admin/members/mbr_x',
  ],
  [
    'a key of a member',
    'root',
    '/admin/keys/key_x/revoke',
    {},
    '/admin/keys?q=two+words&sort=cost',
  ],
])(
  '%s needs a sign-in of the last 12 hours, which leads back to the page',
  async (_, person, path, fields, page) => {
    await signIn(person);
    later(12 * hourMs - minuteMs);
    const direct = await site.post(browser, path, { ...fields, page });
    expect(direct.url).not.toContain(site.identity.issuer);
    later(2 * minuteMs);
    const choice = await site.post(browser, path, { ...fields, page });
    expect(choice.url).toContain(`${site.identity.issuer}/people/`);
    const back = await site.choose(browser, choice, person);
    expect(back.url).toBe(
      `${site.siteUrl}${page}${page.includes('?') ? '&' : '?'}problem=send-again`,
    );
    expect((await site.find(browser))?.ageMs).toBeLessThan(minuteMs);
  },
);

test('deleting the account needs one of the last 15 minutes', async () => {
  const id = await signIn('ada');
  const { members } = site.server.services.database;
  later(16 * minuteMs);
  const choice = await site.post(browser, '/account/delete', { confirm: 'yes' });
  expect(await members.find(id)).not.toBeNull();
  await site.choose(browser, choice, 'ada');
  await site.post(browser, '/account/delete', { confirm: 'yes' });
  expect(await members.find(id)).toBeNull();
});

test('other forms work as long as the session does', async () => {
  await signIn('ada');
  const key = await site.post(browser, '/account/keys', { name: 'soon' });
  expect(key.url).toBe(`${site.siteUrl}/account`);
  later(23 * hourMs);
  for (const [path, action] of [
    ['/account/keys/key_x', 'revoke'],
    ['/account/keys/key_x', 'rename'],
    ['/account/sessions/ses_x', ''],
  ] as const) {
    const page = await site.post(browser, path, { action, name: 'x' });
    expect(page.url).not.toContain(site.identity.issuer);
  }
});

test('only the second sign-in asks the provider how long ago it was', async () => {
  const read = async (path: string) => {
    const response = await fetch(site.server.url + path, { redirect: 'manual' });
    return new URL(response.headers.get('location') ?? '').searchParams.get('max_age');
  };
  expect(await read('/sign-in')).toBeNull();
  expect(await read('/sign-in?again=1')).toBe('900');
});

test('a member who is no admin is told of no admin form, however old the sign-in', async () => {
  await signIn('ada');
  later(13 * hourMs);
  expect((await site.post(browser, '/admin/groups/change')).status).toBe(404);
});

describe('a second sign-in leads to no other page', () => {
  test.each([
    'https://evil.example/admin',
    '//evil.example',
    '/admin/../../evil',
    '/account/delete',
    '/sign-in?again=1',
    '/admin\\evil',
    'javascript:alert(1)',
    '/admin/keys?to=https://evil.example',
    '/admin/keys?q=\r\nSet-Cookie:x',
  ])('%s', async (to) => {
    await signIn('ada');
    later(13 * hourMs);
    const url = `${site.siteUrl}/sign-in?${new URLSearchParams({ again: '1', to })}`;
    const back = await site.choose(browser, await browser.open(url), 'ada');
    expect(back.url).toBe(`${site.siteUrl}/account?problem=send-again`);
  });

  test('nor does a Referer', async () => {
    await signIn('ada');
    later(13 * hourMs);
    for (const page of ['//evil.example/x', '/account?problem=x', '@evil.example', '']) {
      const choice = await site.post(browser, '/account/keys', { name: 'x', page });
      const back = await site.choose(browser, choice, 'ada');
      expect(back.url).toBe(`${site.siteUrl}/account?problem=send-again`);
      later(13 * hourMs);
    }
  });
});
