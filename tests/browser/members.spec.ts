import { expect, type Page } from '@playwright/test';
import { postJson } from '../support/clients/post-json.ts';
import { createKey, signIn } from './account.ts';
import { expectUsable } from './page-measures.ts';
import { test } from './site-test.ts';
import { markupName } from './sites/shared-site.ts';

/** Members with their keys, the playground, and an admin. */

test('from a fresh site to a first reply with a key of one’s own: three clicks after the sign-in', async ({
  page,
  context,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(site.url);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'Sign in with the demo' }).click();
  await page.getByRole('button', { name: 'Ada Moreno' }).click();
  await expect(page.getByText('Ada Moreno, ada@makers.example')).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('radio', { name: 'curl', exact: true }).check();
  const command = await copy(page, 'Copy the curl: Terminal code', 'curl ');
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
    await page.goto(`${site.url}/account/usage`);
    await expect(page.getByRole('img', { name: /^Tokens, / })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.goto(`${site.url}/account`);
  await expect(page.getByText(key)).toHaveCount(0);
  await expect(page.getByText(', from 127.0.0.0/24')).toBeVisible();
});

test('the playground replies in the member’s name, by keyboard alone', async ({ page, site }) => {
  await signIn(page, site, 'Ines Roth');
  await page.getByRole('link', { name: 'Playground' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await expect(page.getByLabel('API key')).toHaveCount(0);
  await page.getByLabel('Message').fill('Hello');
  await page.getByLabel('Message').press('Control+Enter');
  await expect(page.getByText('First token after')).toBeVisible();
  await expectUsable(page);
});

test('a key is pasted into the playground: the reply streams in, with its tokens and its cost', async ({
  page,
  context,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, site, 'Ben Castro');
  const key = await createKey(page);
  await copy(page, 'Copy the key', key);
  await page.goto(`${site.url}/models`);
  await page.getByLabel('API key').focus();
  await page.keyboard.press('ControlOrMeta+V');
  await page.getByLabel('Search models').fill('tide small');
  await page.getByRole('button', { name: 'Try harbour-demo/tide-small' }).click();
  await expect(page.getByLabel('Message')).toBeFocused();
  await page.keyboard.type('count to 9');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('The reply is complete.')).toBeAttached();
  await expect(page.locator('[data-role="assistant"]')).toContainText('1 2 3 4 5 6 7 8 9');
  const facts = page.locator('.reply-facts');
  await expect(facts).toContainText(/Output tokens\s*\d+/);
  await expect(facts).toContainText(/Cost, by the list\s*\$\d/);
});

test('an admin finds a member and their spend, sets a budget, disables them, and sees it in the log; by keyboard, too', async ({
  page,
  browser,
  site,
}) => {
  // Somebody who has signed in, with a name that is markup.
  const other = await browser.newContext();
  const member = await other.newPage();
  await signIn(member, site, markupName);
  const response = await postJson(`${site.url}/proxy/v1/responses`, await createKey(member), {
    model: 'lantern-demo/wick-3',
    input: 'Hello',
  });
  const { usage } = await response.json();
  await signIn(page, site, 'Robin Osei');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByLabel('Name, email address or id').fill('max@makers');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 person found for “max@makers”.')).toBeVisible();
  // It is recorded soon after the reply.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('row', { name: 'max@makers' })).toContainText(/\$0\.\d{4}/, {
      timeout: 1000,
    });
  }).toPass();
  await page.getByRole('link', { name: /Max/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x onerror');
  const { input_tokens: sent, output_tokens: received } = usage;
  const spend = page.getByRole('definition');
  await expect(spend.first()).toHaveText(String(sent + received));
  // The prices of the demo's list, for a million tokens.
  await expect(spend.nth(2)).toHaveText(`$${((sent * 2.5 + received * 12) / 1e6).toFixed(4)}`);

  const field = page.getByRole('textbox', { name: 'Budget' });
  await field.fill('5 USD/day');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('5.00 USD/day');
  await page.getByRole('checkbox', { name: /^Disable .*\? Their programs stop/ }).press('Space');
  await page.getByRole('button', { name: 'Disable' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log' })).toBeVisible();
  const lines = page.locator('.audit-lines > li');
  await expect(lines.filter({ hasText: 'Robin Osei disabled' })).toHaveCount(1);
  const budget = lines.filter({ hasText: 'Robin Osei set the budget of' });
  await expect(budget).toContainText('5.00 USD/day');
  await other.close();
});

/** Copies a text that has this part: the button works once its script has run. */
async function copy(page: Page, button: string, part: string): Promise<string> {
  let copied = '';
  await expect(async () => {
    await page.getByRole('button', { name: button }).click();
    copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(part);
  }).toPass();
  return copied;
}
