import { expect } from '@playwright/test';
import { startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { startModelServer } from '#lib/demo/models/model-server.ts';
import { findFreePort } from '../support/servers/free-port.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/servers/marquee-server.ts';
import { test as base } from './site-test.ts';

// The server may end while a page still loads.
base.use({ allowed: /ERR_CONNECTION_REFUSED/ });

/** A fresh site with accounts for each test. */
const test = base.extend<{ members: MarqueeServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  members: async ({}, use) => {
    const port = await findFreePort();
    const siteUrl = `http://localhost:${port}`;
    const [table, models, identity] = await Promise.all([
      startTable(),
      startModelServer({ key: 'sk-of-the-models' }),
      startIdentityServer({ siteUrl }),
    ]);
    const server = await startMarquee({
      ...toTableSettings(table),
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: models.key,
      PORT: String(port),
      SITE_URL: siteUrl,
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: identity.clientId,
      OIDC_CLIENT_SECRET: identity.clientSecret,
      OIDC_NAME: 'the demo',
      MEMBERS_ALLOWED: 'makers.example',
      ADMINS: 'robin@makers.example',
    });
    await use({ ...server, url: siteUrl });
    await server.stop();
    await Promise.all([table.close(), models.close(), identity.close()]);
  },
});

test('from a fresh site to a first reply with a key of one’s own: two clicks after the sign-in', async ({
  page,
  context,
  members,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(members.url);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'Sign in with the demo' }).click();
  await page.getByRole('button', { name: 'Ada Moreno' }).click();
  await expect(page.getByText('ada@makers.example')).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy the curl code' }).click();

  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = '', key = '', body = ''] =
    /^curl (\S+)[\s\S]+Bearer (mq_\w+)[\s\S]+-d '(.+)'$/.exec(command) ?? [];
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: 'completed' });
});

test('without scripts a member makes, renames and revokes a key, and signs out', async ({
  browser,
  members,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${members.url}/sign-in`);
  await page.getByRole('button', { name: 'Robin Osei' }).click();
  await expect(page.getByText('Admin')).toBeVisible();
  await page.getByLabel('Name').fill('Robin’s laptop');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: Robin’s laptop' })).toBeVisible();
  await page.getByRole('radio', { name: 'Codex' }).check();
  await expect(page.getByText('model_provider = "marquee"')).toBeVisible();
  await page.getByText('Change').click();
  await page.getByLabel('Name').first().fill('desk');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { name: 'desk' })).toBeVisible();
  await page.getByText('Change').click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('You have no keys yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${members.url}/account`);
  await expect(page.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
  await context.close();
});

test('the page of a site with accounts is the same for everyone, and private ones are not stored', async ({
  page,
  members,
}) => {
  await page.goto(`${members.url}/sign-in`);
  await page.getByRole('button', { name: 'Ada Moreno' }).click();
  const signedIn = await page.request.get(members.url);
  const others = await fetch(members.url);
  expect(await signedIn.text()).toBe(await others.text());
  const account = await page.request.get(`${members.url}/account`);
  expect(account.headers()['cache-control']).toBe('private, no-store');
  expect(await account.text()).toContain('ada@makers.example');
  expect(await account.text()).toContain('<meta name="robots" content="noindex"');
  const unknown = await fetch(`${members.url}/account`);
  expect(unknown.headers.get('cache-control')).toBe('private, no-store');
  expect(await unknown.text()).not.toContain('ada@makers.example');
});
