import { expect } from '@playwright/test';
import { delayScripts, test, waitForHydration } from '../../../browser/site-test.ts';

/** Nothing that a visitor types or chooses before hydration is lost. */

test('buttons that need JavaScript are disabled until they work', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const release = await delayScripts(page);
  await page.goto(`${site.url}/events/little-languages`, { waitUntil: 'domcontentloaded' });
  const schemes = page.getByRole('button', { name: 'Theme' });
  for (const button of [
    schemes,
    page.getByRole('button', { name: /^Save Little Languages/ }),
    page.getByRole('button', { name: 'Share' }),
  ]) {
    await expect(button).toBeDisabled();
  }
  // Playwright waits until the button is enabled, and clicks at once.
  const click = schemes.click();
  release();
  await click;
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
});

test('before hydration, Enter submits the search and a poster links to its event', async ({
  page,
  site,
}) => {
  await delayScripts(page);
  await page.goto(site.url, { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search events').fill('telescope');
  await page.getByLabel('Search events').press('Enter');
  await expect(page).toHaveURL(/\?q=telescope&/);
  await expect(page.locator('.poster-name')).toHaveText(['Overnight at the Observatory']);
  await page.locator('.poster-card').click();
  await expect(page).toHaveURL(`${site.url}/events/overnight-at-the-observatory`);
});

test('after going back, text typed before hydration wins over the URL', async ({ page, site }) => {
  const release = await delayScripts(page);
  await page.goto(`${site.url}/?q=robot`, { waitUntil: 'domcontentloaded' });
  await page.locator('.poster-name a').first().click();
  await expect(page).toHaveURL(/\/events\//);
  await page.goBack({ waitUntil: 'domcontentloaded' });
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
  await page.getByLabel('Search events').fill('telescope');
  release();
  await expect(page).toHaveURL(`${site.url}/?q=telescope`);
  await expect(page.locator('.poster-name')).toHaveText(['Overnight at the Observatory']);
  await page.reload();
  await expect(page.getByLabel('Search events')).toHaveValue('telescope');
  await expect(page.locator('.poster-name')).toHaveText(['Overnight at the Observatory']);
});

test('a key, a model and a message from before hydration are used', async ({ page, site }) => {
  const release = await delayScripts(page);
  await page.goto(`${site.url}/models`, { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search models').fill('harbour');
  await page.getByLabel('API key').fill('mq_early');
  await page.getByLabel('Model', { exact: true }).fill('harbour-demo/tide-small');
  await page.getByLabel('API format').selectOption('Chat Completions');
  await page.getByLabel('Message').fill('Good morning');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  release();
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await expect(page.getByLabel('API key')).toHaveValue('mq_early');
  await expect(page.getByRole('heading', { name: 'Language models' })).toContainText('2 of 8');
  const code = page.getByRole('region', { name: 'The request as code' }).locator('pre');
  for (const part of ['/chat/completions', 'harbour-demo/tide-small', 'Good morning']) {
    await expect(code).toContainText(part);
  }
});

test('a “try it” form uses values from before hydration', async ({ page, site }) => {
  const release = await delayScripts(page);
  await page.goto(`${site.url}/docs/api`, { waitUntil: 'domcontentloaded' });
  const form = page.getByRole('form', { name: 'Try listEvents' });
  await form.getByLabel('limit').fill('3');
  await form.getByLabel('upcoming').check();
  release();
  await waitForHydration(page);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toContainText('/api/v1/events?status=upcoming&limit=3');
  await expect(form.locator('pre')).toContainText('"count": 3');
});
