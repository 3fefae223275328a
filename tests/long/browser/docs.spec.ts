import { expect, type Locator, type Page } from '@playwright/test';
import { test, waitForHydration } from '../../browser/site-test.ts';

/** A form of a hydrated page: it shows the response in place. */
async function findReadyForm(page: Page, id: string): Promise<Locator> {
  await waitForHydration(page);
  return page.getByRole('form', { name: `Try ${id}`, exact: true });
}

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
