import { expect, type Locator, type Page } from '@playwright/test';
import { test, waitForHydration } from './site-test.ts';

/** A form of a hydrated page: it shows the response in place. */
async function findReadyForm(page: Page, id: string): Promise<Locator> {
  await waitForHydration(page);
  return page.getByRole('form', { name: `Try ${id}`, exact: true });
}

test('trying an operation shows status, time, headers and a formatted body', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/docs/api#listEvents`);
  const form = await findReadyForm(page, 'listEvents');
  await form.getByLabel('upcoming').check();
  await form.getByLabel('ended').check();
  await form.getByLabel('limit').fill('2');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toContainText(
    /^200 in \d+ ms from \/api\/v1\/events\?status=upcoming&status=ended&limit=2$/,
  );
  await expect(form.locator('pre')).toContainText('"count": 2');
  await form.getByText(/\d+ headers/).click();
  await expect(form.locator('dl')).toContainText('etag');
  await form.getByRole('button', { name: 'Clear' }).click();
  await expect(form.locator('pre')).toHaveCount(0);
  await expect(form.getByLabel('upcoming')).not.toBeChecked();
});

test.describe('an invalid request', () => {
  // The browser logs the 404.
  test.use({ allowed: /status of 404/ });

  test('trying an invalid request shows the error and its hint', async ({ page, site }) => {
    await page.goto(`${site.url}/docs/api`);
    const form = await findReadyForm(page, 'getEvent');
    await form.getByLabel('idOrSlug').fill('nobody/at all?');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByRole('status')).toContainText('404');
    await expect(form.getByRole('status')).toContainText('/api/v1/events/nobody%2Fat%20all%3F');
    await expect(form.locator('pre')).toContainText('"code": "not_found"');
  });
});

test('the request is shown in the selected language', async ({ page, site }) => {
  await page.goto(`${site.url}/docs/api`);
  const operation = page.getByRole('region', { name: 'List events' });
  await expect(operation.getByText("curl '")).toBeVisible();
  await operation.getByRole('radio', { name: 'Python' }).check();
  await expect(operation.getByText('from urllib.request')).toBeVisible();
  await expect(operation.getByText("curl '")).toBeHidden();
});

test('the documentation_url of an error opens its section', async ({ page, site }) => {
  const response = await page.request.get(`${site.url}/api/v1/events?statu=x`);
  const { documentation_url: url }: { documentation_url: string } = await response.json();
  await page.goto(site.url + new URL(url).pathname + new URL(url).hash);
  await expect(page.locator(':target')).toHaveText('bad_request');
  await expect(page.locator(':target')).toBeInViewport();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the forms navigate to the responses', async ({ page, site }) => {
    await page.goto(`${site.url}/docs/api`);
    const list = page.getByRole('form', { name: 'Try listEvents' });
    await list.getByLabel('upcoming').check();
    await list.getByLabel('limit').fill('1');
    await list.getByRole('button', { name: 'Send' }).click();
    await expect(page).toHaveURL(/\/api\/v1\/events\?status=upcoming&.*limit=1$/);
    await expect(page.locator('body')).toContainText('"count":1');
    await page.goBack();
    const item = page.getByRole('form', { name: 'Try getEvent', exact: true });
    await item.getByLabel('idOrSlug').fill('overnight-at-the-observatory');
    await item.getByRole('button', { name: 'Send' }).click();
    await expect(page).toHaveURL(/\/api\/v1\/events\/overnight-at-the-observatory$/);
    await expect(page.locator('body')).toContainText('Overnight at the Observatory');
  });
});

test('on a phone a table is a list of cards, with the name of its column beside each cell', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${site.url}/docs/agents`);
  const table = page.getByRole('table').first();
  const row = table.getByRole('row').nth(1);
  const [name, args] = [row.getByRole('cell').first(), row.getByRole('cell').nth(1)];
  await expect(name).toHaveText('search');
  const [above, below] = [await name.boundingBox(), await args.boundingBox()];
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + 10);
  const label = await args.evaluate((cell) => getComputedStyle(cell, '::before').content);
  expect(label).toContain('Arguments');
  const overflow = await table.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('the copy button of a terminal session copies its command', async ({
  page,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${site.url}/docs`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Copy the Terminal code' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^curl -s 'https?:\/\/[^\n]+telescope' \| grep [^\n]+$/);
});
