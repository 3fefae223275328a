import { expect, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { startMembersSite } from '../../../support/members/members-site.ts';
import type { TestBrowser } from '../../../support/members/test-browser.ts';

/** Accounts where Next serves alone. */

const adminPages = ['', '/groups', '/keys', '/usage?days=7', '/upstreams', '/events', '/log'];

const site = forTests(() => startMembersSite({ command: 'next start' }));
const open = (browser: TestBrowser, path: string) => browser.open(site.siteUrl + path);

test('a member makes a key, which is shown once and works, and signs out', async () => {
  const { browser, page } = await site.signIn('ada');
  expect(page).toMatchObject({ url: `${site.siteUrl}/account`, status: 200 });
  expect(page.headers.get('cache-control')).toMatch(/private.*no-store|no-store.*private/);
  expect(page.headers.get('content-security-policy')).toContain(
    `form-action 'self' ${site.identity.issuer}`,
  );

  const made = await browser.submit(page, '/account/keys', { name: 'Ada’s laptop' });
  const [key] = /\bmq_\w{49}\b/.exec(made.text) ?? [];
  const own = await fetch(`${site.server.url}/proxy/v1/key`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(own.status).toBe(200);
  const again = await open(browser, '/account');
  expect(again.text).toContain('Ada’s laptop');
  expect(again.text).not.toContain(key);

  await browser.submit(again, '/sign-out');
  expect((await open(browser, '/account')).text).not.toContain('Ada’s laptop');
});

// ASVS 7.6.2
test('admins see every admin page, members none, and visitors the sign-in', async () => {
  const { browser: admin, page } = await site.signIn('root', '/admin/log');
  expect(page).toMatchObject({ url: `${site.siteUrl}/admin/log`, status: 200 });
  const { browser: member } = await site.signIn('ada');
  const visitor = site.openBrowser();
  for (const path of adminPages.map((name) => `/admin${name}`)) {
    const seen = await open(admin, path);
    expect(seen.status, path).toBe(200);
    expect(seen.headers.get('cache-control'), path).toContain('no-store');
    expect(seen.text, path).toContain('aria-label="Admin"');
    expect((await open(member, path)).status, path).toBe(404);
    const way = await open(visitor, path);
    expect(way.text, path).toContain('Sign in');
    expect(way.text, path).not.toContain('aria-label="Admin"');
  }
});

test('an admin disables a member, whose session ends', async () => {
  const { browser: admin } = await site.signIn('root');
  const { browser: member, page: account } = await site.signIn('ada');
  expect(account.text).toContain('ada@makers.example');
  const list = await open(admin, '/admin/members');
  const [path = ''] = /\/admin\/members\/[\w-]+(?=">Ada Moreno)/.exec(list.text) ?? [];
  const page = await open(admin, path);
  const disable = { action: 'disable', confirm: 'yes' };
  const disabled = await admin.submit(page, `${path}/change`, disable);
  expect(disabled.text).toContain('Disabled');
  expect((await open(member, '/account')).text).not.toContain('ada@makers.example');
});
