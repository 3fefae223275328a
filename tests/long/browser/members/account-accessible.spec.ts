import { expect, type Page } from '@playwright/test';
import { createKey, signIn } from '../../../browser/account.ts';
import { expectUsable } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';
import { longName } from '../../../browser/sites/shared-site.ts';
import { postJson } from '../../../support/clients/post-json.ts';

test('accessible: the way in, after a problem', async ({ page, site }) => {
  await page.goto(`${site.url}/account?problem=not-allowed`);
  await expect(page.locator('main').getByRole('alert')).toContainText('may not use this site');
  await expectUsable(page);
  for (const width of [320, 360, 375, 412]) {
    await page.setViewportSize({ width, height: 800 });
    const header = await page.locator('.site-header').boundingBox();
    expect(header?.height, `the header at ${width} px is one line`).toBeLessThan(70);
  }
});

test('accessible: an account without keys, and a new key', async ({ page, site }) => {
  await signIn(page, site, 'Noa Brandt');
  await expect(page.getByText('You have no keys yet.')).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: My first key' })).toBeVisible();
  await expectUsable(page);
});

test('accessible: 20 keys of a member whose name is long and has markup; one more is a clear error', async ({
  page,
  site,
}) => {
  await signIn(page, site, longName);
  await expect(page.getByText(longName.slice(0, 100), { exact: true })).toBeVisible();
  const keyName = 'A name as long as one may be, with <b>markup</b>, and not a single s'.padEnd(
    100,
    'o',
  );
  for (let count = 1; count <= 20; count += 1) {
    await postForm(page, '/account/keys', { name: count === 1 ? keyName : `Key ${count}` });
  }
  const another = await postForm(page, '/account/keys', { name: 'one too many' });
  expect(another).toBe(`${site.url}/account?problem=key-count&name=one+too+many`);
  await page.goto(another);
  await expect(page.locator('main').getByRole('alert')).toHaveText(/^You have 20 keys/);
  await expect(page.getByRole('heading', { name: keyName })).toBeVisible();
  await expectUsable(page);
});

test('accessible: requests and usage without scripts, from none to one that is found and downloaded', async ({
  browser,
  page: pageWithScripts,
  site,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, site, 'Tess Amadi');
  await page.goto(`${site.url}/account/requests`);
  await expect(page.getByText('Nothing yet.')).toBeVisible();
  await expect(page.getByText('no prompts, no replies')).toBeVisible();
  await page.goto(`${site.url}/account/usage`);
  await expect(page.getByText('No requests in this time.')).toBeVisible();
  await page.goto(`${site.url}/account`);
  const key = await createKey(page);
  const url = `${site.url}/proxy/v1/chat/completions`;
  const body = { model: 'lantern-demo/wick-3', messages: [{ role: 'user', content: 'Hello' }] };
  const headers = { 'x-session-id': 'one', 'user-agent': 'opencode' };
  const response = await postJson(url, key, body, { headers });
  const { usage } = await response.json();
  const row = page.getByRole('row').filter({ hasText: 'lantern-demo/wick-3' });
  await expect(async () => {
    await page.goto(`${site.url}/account/requests`);
    await expect(row).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  await expect(row).toContainText('My first key');
  await expect(row).toContainText(`200${usage.prompt_tokens}`);
  await expect(row).toContainText(response.headers.get('x-request-id') ?? '?');
  await page.getByLabel('Status').selectOption('Failed or cancelled');
  await page.getByRole('button', { name: 'Show' }).press('Enter');
  await expect(page.getByText('No requests match.')).toBeVisible();
  await expect(page.getByLabel('Status')).toHaveValue('failed');
  await page.getByRole('link', { name: 'Show all' }).click();
  await row.getByRole('link', { name: /^opencode-/ }).click();
  await expect(page.getByLabel('Session')).toHaveValue(/^opencode-[\w-]+$/);
  await expect(row).toHaveCount(1);
  const href = (await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '';
  const file = await (await page.request.get(site.url + href)).text();
  expect(file.split('\r\n')[1]).toContain('My first key,lantern-demo/wick-3,chat.completions');
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await page.getByRole('link', { name: '24 hours' }).click();
  await expect(page.getByRole('img', { name: /^Tokens, .* in all$/ })).toBeVisible();
  const tokens = new Intl.NumberFormat('en').format(usage.total_tokens);
  await expect(page.getByRole('img', { name: `: ${tokens} in all` })).toBeVisible();
  await page.getByText('The same as a table').press('Enter');
  await expect(page.getByRole('table', { name: 'Usage over time' }).getByRole('row')).toHaveCount(
    25,
  );
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('From').fill(today);
  await page.getByLabel('To', { exact: true }).fill(today);
  await page.getByRole('button', { name: 'Show' }).press('Enter');
  await expect(page.getByRole('table', { name: 'By model' })).toContainText('lantern-demo/wick-3');
  const json = await page.getByRole('link', { name: 'Download JSON' }).getAttribute('href');
  expect(await (await page.request.get(site.url + json)).json()).toMatchObject({
    from: today,
    usage: [{ model: 'lantern-demo/wick-3', requests: 1, tokens_in: usage.prompt_tokens }],
  });
  await context.close();
  await signIn(pageWithScripts, site, 'Tess Amadi');
  await postJson(url, key, { ...body, model: 'acme/none' });
  const rejected = pageWithScripts.getByRole('link', { name: 'model_not_found' });
  await expect(async () => {
    await pageWithScripts.goto(`${site.url}/account/requests`);
    await expect(rejected).toHaveAttribute('href', '/docs/errors#model_not_found', {
      timeout: 1000,
    });
  }).toPass();
  await expectUsable(pageWithScripts);
  await pageWithScripts.goto(`${site.url}/account/usage`);
  await expect(pageWithScripts.getByRole('table', { name: 'By model' })).toBeVisible();
  await expectUsable(pageWithScripts);
});

test('a key is made, copied, renamed and revoked by keyboard alone', async ({
  page,
  context,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, site, 'Lou Okafor');
  await page.getByLabel('Name').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your new key: laptop' })).toBeVisible();
  // The button works once its script has run.
  await expect(async () => {
    await page.getByRole('button', { name: 'Copy the key' }).press('Enter');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^mq_\w{49}$/);
  }).toPass();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Claude Code' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio').nth(1)).toBeFocused();
  await expect(page.locator('.client-panel:visible')).toHaveCount(1);
  await page.getByText('Change laptop').press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('desk');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'desk' })).toBeVisible();
  await page.getByText('Change desk').press('Enter');
  await page.getByLabel('Revoke desk for good').press('Space');
  await page.getByRole('button', { name: 'Revoke' }).press('Enter');
  await expect(page.getByText('You have no keys yet.')).toBeVisible();
});

/** Sends a form of the account page, as the page would, and returns the URL that it leads to. */
async function postForm(page: Page, path: string, form: Record<string, string>) {
  const { origin } = new URL(page.url());
  const token = await page.locator('input[name=token]').first().inputValue();
  const response = await page.request.post(origin + path, {
    form: { token, ...form },
    headers: { origin },
    maxRedirects: 0,
  });
  return new URL(response.headers().location ?? '', origin).href;
}
