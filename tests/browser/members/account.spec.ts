import { chromium, expect } from '@playwright/test';
import { chromiumArguments, findHeadlessChromium } from '../../support/clients/chromium.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { test } from '../site-test.ts';
import { signIn } from '../sites/members-site.ts';

test('from a fresh site to a first reply with a key of one’s own: three clicks after the sign-in', async ({
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
  await page.getByRole('radio', { name: 'curl', exact: true }).check();
  await page.getByRole('button', { name: 'Copy the curl: Terminal code' }).click();

  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = '', key = '', body = ''] =
    /^curl (\S+)[\s\S]+Bearer (mq_\w+)[\s\S]+-d '(.+)'$/.exec(command) ?? [];
  const response = await postJson(url, key, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: 'completed' });

  // Each other client gets the same key.
  for (const client of ['Claude Code', 'Codex', 'opencode', 'AI SDK', 'LangChain']) {
    await page.getByRole('radio', { name: client, exact: true }).check();
    await expect(page.locator('.client-panel:visible')).toContainText(key);
  }
  // It is shown once, and counted.
  await expect(async () => {
    await page.goto(`${members.url}/account/usage`);
    await expect(page.getByRole('img', { name: /^Tokens, / })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.goto(`${members.url}/account`);
  await expect(page.getByText(key)).toHaveCount(0);
  await expect(page.getByText(', from 127.0.0.0/24')).toBeVisible();
});

// ASVS 7.4.4
test('without scripts a member makes, renames and revokes a key, and signs out', async ({
  browser,
  members,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, members, 'Robin Osei');
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeVisible();
  await page.getByLabel('Name').fill('Robin’s laptop');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: Robin’s laptop' })).toBeVisible();
  await page.getByRole('radio', { name: 'Codex' }).check();
  await expect(page.getByText('model_provider = "marquee"')).toBeVisible();
  // Another model needs a request, after which the key is not there any more.
  await page.getByLabel('Model', { exact: true }).selectOption({ index: 2 });
  const model = await page.getByLabel('Model', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Show' }).click();
  const shown = `${members.url}/account?client=codex&model=${encodeURIComponent(model)}#connect`;
  await expect(page).toHaveURL(shown);
  await expect(page.locator('.client-panel:visible')).toContainText(`model = "${model}"`);
  await page.locator('summary', { hasText: 'Change' }).click();
  await page.getByLabel('Name').first().fill('desk');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { name: 'desk' })).toBeVisible();
  await page.locator('summary', { hasText: 'Change' }).click();
  await page.getByLabel('Revoke desk for good').check();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Done: the key is revoked.')).toBeVisible();
  await expect(page.getByText('You have no keys yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${members.url}/account`);
  await expect(page.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
  await context.close();
});

test('a budget that cannot be read keeps what was typed, says so beside it, and has the focus', async ({
  page,
  members,
}) => {
  await signIn(page, members, 'Ines Roth');
  await page.getByLabel('Name', { exact: true }).last().fill('bench');
  await page.getByText('Expiry, models and budget').click();
  await page.getByLabel('Expires').selectOption('30');
  await page.getByLabel('Budget', { exact: true }).fill('a lot');
  await page.getByRole('button', { name: 'Create key' }).click();
  const budget = page.getByLabel('Budget', { exact: true });
  await expect(budget).toHaveAccessibleDescription(/write the budget like this: 5 USD\/day/);
  await expect(budget).toHaveValue('a lot');
  await expect(budget).toHaveAttribute('aria-invalid', 'true');
  await expect(budget).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true }).last()).toHaveValue('bench');
  await expect(page.getByLabel('Expires')).toHaveValue('30');
});

test('the page of a site with accounts is the same for everyone, and private ones are not stored', async ({
  page,
  members,
}) => {
  await signIn(page, members, 'Kim Vale');
  const signedIn = await page.request.get(members.url);
  const others = await fetch(members.url);
  expect(await signedIn.text()).toBe(await others.text());
  const account = await page.request.get(`${members.url}/account`);
  expect(account.headers()['cache-control']).toBe('private, no-store');
  expect(await account.text()).toContain('kim@makers.example');
  expect(await account.text()).toContain('<meta name="robots" content="noindex"');
  const unknown = await fetch(`${members.url}/account`);
  expect(unknown.headers.get('cache-control')).toBe('private, no-store');
  expect(await unknown.text()).not.toContain('kim@makers.example');
});

// Playwright's own browsers keep no page in memory.
const launchWithPageMemory = () =>
  chromium.launch({
    executablePath: findHeadlessChromium(),
    args: chromiumArguments,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    chromiumSandbox: false,
  });

test('a key that was shown once is not shown again by Back, not even from the memory of the browser', async ({
  members,
}) => {
  const browser = await launchWithPageMemory();
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await signIn(page, members, 'Ada Moreno');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.new-key-text code').textContent()) ?? '';
    await page.goto(`${members.url}/docs/ai`);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
    expect(await page.content()).not.toContain(key);
  }
  await browser.close();
});

// ASVS 14.3.1
test('after signing out, Back shows nothing of the account, not even from the memory of the browser', async ({
  members,
}) => {
  const browser = await launchWithPageMemory();
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await signIn(page, members, 'Noa Brandt');
    await page.goto(`${members.url}/docs/ai`);
    await other.goto(`${members.url}/account`);
    await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await expect(other.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
    expect(await page.content()).not.toContain('noa@makers.example');
  }
  await browser.close();
});
