import { chromium, expect } from '@playwright/test';
import { createKey, signIn } from '../../../browser/account.ts';
import { test } from '../../../browser/site-test.ts';
import { chromiumArguments, findHeadlessChromium } from '../../../support/clients/chromium.ts';

test('a budget that cannot be read keeps what was typed, says so beside it, and has the focus', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'Ines Roth');
  await page.getByLabel('Name', { exact: true }).last().fill('bench');
  await page.getByText('Expiry, models and budget').click();
  await page.getByLabel('Expires', { exact: true }).selectOption('30');
  await page.getByLabel('Budget', { exact: true }).fill('a lot');
  await page.getByRole('button', { name: 'Create key' }).click();
  const budget = page.getByLabel('Budget', { exact: true });
  await expect(budget).toHaveAccessibleDescription(/write the budget like this: 5 USD\/day/);
  await expect(budget).toHaveValue('a lot');
  await expect(budget).toHaveAttribute('aria-invalid', 'true');
  await expect(budget).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true }).last()).toHaveValue('bench');
  await expect(page.getByLabel('Expires', { exact: true })).toHaveValue('30');
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
  site,
}) => {
  const browser = await launchWithPageMemory();
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await signIn(page, site, 'Otto Lind');
    const key = await createKey(page);
    await page.goto(`${site.url}/docs/ai`);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
    expect(await page.content()).not.toContain(key);
  }
  await browser.close();
});

// ASVS 14.3.1
test('after signing out, Back shows nothing of the account, not even from the memory of the browser', async ({
  site,
}) => {
  const browser = await launchWithPageMemory();
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await signIn(page, site, 'Noa Brandt');
    // Signing out leads to the account, whose page a cache would have anew.
    await page.goto(`${site.url}/account?client=codex`);
    await page.goto(`${site.url}/docs/ai`);
    await other.goto(`${site.url}/account`);
    await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await expect(other.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
    expect(await page.content()).not.toContain('noa@makers.example');
  }
  await browser.close();
});
