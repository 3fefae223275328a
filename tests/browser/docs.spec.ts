import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './site-test.ts';

/** A form whose page’s program is there: it shows answers in place. The program waits for a first touch. */
async function findReadyForm(page: Page, id: string): Promise<Locator> {
  const form = page.getByRole('form', { name: `Try ${id}`, exact: true });
  await form.hover();
  await expect(form).toHaveAttribute('data-is-ready', 'true');
  return form;
}

test('trying an operation shows status, time, headers and a readable body', async ({
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

test.describe('a mistake', () => {
  // The console tells of it too.
  test.use({ allowed: /status of 404/ });

  test('trying a mistake shows the error and its hint', async ({ page, site }) => {
    await page.goto(`${site.url}/docs/api`);
    const form = await findReadyForm(page, 'getEvent');
    await form.getByLabel('idOrSlug').fill('nobody/at all?');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByRole('status')).toContainText('404');
    await expect(form.getByRole('status')).toContainText('/api/v1/events/nobody%2Fat%20all%3F');
    await expect(form.locator('pre')).toContainText('"code": "not_found"');
  });
});

test('the same call is shown in the language that is picked', async ({ page, site }) => {
  await page.goto(`${site.url}/docs/api`);
  const operation = page.getByRole('region', { name: 'List events' });
  await expect(operation.getByText("curl '")).toBeVisible();
  await operation.getByRole('radio', { name: 'Python' }).check();
  await expect(operation.getByText('from urllib.request')).toBeVisible();
  await expect(operation.getByText("curl '")).toBeHidden();
});

test('an error’s documentation_url leads to its section', async ({ page, site }) => {
  const response = await page.request.get(`${site.url}/api/v1/events?statu=x`);
  const { documentation_url: address }: { documentation_url: string } = await response.json();
  await page.goto(site.url + new URL(address).pathname + new URL(address).hash);
  await expect(page.locator(':target')).toHaveText('bad_request');
  await expect(page.locator(':target')).toBeInViewport();
});

test('a table that is still arriving has its columns in place already', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.url}/docs/api`);
  const operations = page.getByRole('table').first();
  const readWidths = () =>
    operations
      .getByRole('columnheader')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)));
  const whole = await readWidths();
  expect(whole).toHaveLength(2);
  await operations.locator('tbody tr:not(:first-child)').evaluateAll((rows) => {
    for (const row of rows) row.remove();
  });
  expect(await readWidths()).toEqual(whole);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the forms lead to the answers themselves', async ({ page, site }) => {
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
