import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import { docsPaths } from '#lib/docs/pages.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';
import { watchPage } from '../support/watched-page.ts';

let table: AirtableServer;
let server: MarqueeServer;

test.beforeAll(async () => {
  table = await startTable();
  server = await startMarquee(toTableSettings(table));
});

test.afterAll(async () => {
  await server.stop();
  await table.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1440]) {
    test(`every page is accessible and fits: ${colorScheme}, ${width} px`, async ({ browser }) => {
      test.setTimeout(90_000);
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const problems = watchPage(page);
      for (const path of [...docsPaths, '/models']) {
        await page.goto(server.url + path);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.target])).toEqual([]);
        const tooWide = await page.evaluate(() => document.body.scrollWidth - window.innerWidth);
        expect(tooWide, path).toBeLessThanOrEqual(0);
      }
      expect(problems).toEqual([]);
      await context.close();
    });
  }
}

/** A form whose page’s program is there: it shows answers in place. The program waits for a first touch. */
async function findReadyForm(page: Page, id: string): Promise<Locator> {
  const form = page.getByRole('form', { name: `Try ${id}`, exact: true });
  await form.hover();
  await expect(form).toHaveAttribute('data-is-ready', 'true');
  return form;
}

test('trying an operation shows status, time, headers and a readable body', async ({ page }) => {
  const problems = watchPage(page);
  await page.goto(`${server.url}/docs/api#listEvents`);
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
  expect(problems).toEqual([]);
});

test('trying a mistake shows the error and its hint', async ({ page }) => {
  await page.goto(`${server.url}/docs/api`);
  const form = await findReadyForm(page, 'getEvent');
  await form.getByLabel('idOrSlug').fill('nobody/at all?');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toContainText('404');
  await expect(form.getByRole('status')).toContainText('/api/v1/events/nobody%2Fat%20all%3F');
  await expect(form.locator('pre')).toContainText('"code": "not_found"');
});

test('the same call is shown in the language that is picked', async ({ page }) => {
  await page.goto(`${server.url}/docs/api`);
  const operation = page.getByRole('region', { name: 'List events' });
  await expect(operation.getByText("curl '")).toBeVisible();
  await operation.getByRole('radio', { name: 'Python' }).check();
  await expect(operation.getByText('from urllib.request')).toBeVisible();
  await expect(operation.getByText("curl '")).toBeHidden();
});

test('an error’s documentation_url leads to its section', async ({ page }) => {
  const response = await page.request.get(`${server.url}/api/v1/events?statu=x`);
  const { documentation_url: address }: { documentation_url: string } = await response.json();
  await page.goto(server.url + new URL(address).pathname + new URL(address).hash);
  await expect(page.locator(':target')).toHaveText('bad_request');
  await expect(page.locator(':target')).toBeInViewport();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the forms lead to the answers themselves', async ({ page }) => {
    await page.goto(`${server.url}/docs/api`);
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
