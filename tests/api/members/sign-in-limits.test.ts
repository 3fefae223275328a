import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';

const site = forTests(() => startMembersInProcess());

function get(path: string, address: string): Promise<Response> {
  const headers = { 'x-forwarded-for': address };
  return fetch(site.server.url + path, { headers, redirect: 'manual' });
}

// ASVS 6.3.1
test.each([
  ['/sign-in', '203.0.113.1'],
  ['/sign-in/callback?code=x&state=y', '203.0.113.1'],
  ['/sign-in', '2001:db8:1:2::1'],
])('the 31st request to %s of %s within five minutes is a 429', async (path, address) => {
  const statuses = new Set<number>();
  for (let count = 0; count < 30; count += 1) statuses.add((await get(path, address)).status);
  expect([...statuses]).toEqual([303]);
  const rejected = await get(path, address);
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get('set-cookie')).toBeNull();
  const seconds = Number(rejected.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(200);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(await rejected.text()).toBe(
    'There were too many sign-ins from your network. Please try again in 5 min.\n',
  );
  expect(site.server.logText()).toContain('sign_in_too-many');
});

test('one client has a whole /64, and other addresses are not limited', async () => {
  expect((await get('/sign-in', '2001:db8:1:2:ffff::9')).status).toBe(429);
  expect((await get('/sign-in', '2001:db8:1:3::1')).status).toBe(303);
  expect((await get('/sign-in', '203.0.113.2')).status).toBe(303);
});

test('at most three started sign-ins have a cookie, and the newest three of them work', async () => {
  const browser = site.open();
  const choices = [];
  for (let count = 0; count < 20; count += 1) {
    choices.push(await browser.open(`${site.siteUrl}/sign-in`));
    const started = [...browser.cookies.keys()].filter((key) => key.includes('marquee-sign-in'));
    expect(started.length).toBe(Math.min(count + 1, 3));
  }
  for (const choice of choices.slice(-3)) {
    const page = await site.choose(browser, choice, 'ada');
    expect(page.url).toBe(`${site.siteUrl}/account`);
  }
  const former = choices.at(-4);
  const page = former && (await site.choose(browser, former, 'ada'));
  expect(page?.url).toBe(`${site.siteUrl}/account?problem=stale`);
});
