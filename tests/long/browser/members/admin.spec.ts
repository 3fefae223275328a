import { expect } from '@playwright/test';
import { signIn } from '../../../browser/account.ts';
import { expectUsable } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';

test('on a phone every key is a card, with Revoke in sight', async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, site, 'Robin Osei');
  await page.getByLabel('Name').fill('on a phone');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.goto(`${site.url}/admin/keys?q=on+a+phone`);
  const button = page.getByRole('button', { name: 'Revoke on a phone' });
  const { x = 375, width = 0 } = (await button.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(375);
});

test('every admin page is accessible in both schemes, on a phone and on a desk', async ({
  page,
  site,
}) => {
  test.slow();
  await signIn(page, site, 'Robin Osei');
  const [, member = ''] =
    /href="(\/admin\/members\/[^"]+)"/.exec(
      await (await page.request.get(`${site.url}/admin/members`)).text(),
    ) ?? [];
  const areas =
    ' /members /groups /keys /requests /usage /upstreams /events /webhooks /deliveries /log'.split(
      ' ',
    );
  for (const path of [...areas.map((area) => `/admin${area}`), member]) {
    await page.goto(site.url + path);
    await expectUsable(page);
  }
  // Without a group, the form of a new one is open.
  await page.goto(`${site.url}/admin/groups`);
  await page.getByLabel('Name', { exact: true }).fill('Night & day');
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('link', { name: 'Night & day' }).click();
  await expect(page.getByRole('button', { name: 'Set budget' })).toBeVisible();
  await expectUsable(page);
});

test('a webhook is created, and its page with the secret and a delivery is accessible', async ({
  page,
  site,
}) => {
  test.slow();
  await signIn(page, site, 'Robin Osei');
  await page.goto(`${site.url}/admin/webhooks`);
  // The target answers nothing: nobody listens there.
  await page.getByLabel('URL').fill('http://localhost:9/events/of/the/harbour/makers');
  await page.getByLabel('Filter').fill('city=ghent&format=in-person');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/Waits for another attempt/)).toBeVisible();
  }).toPass();
  await expectUsable(page);
  await page.setViewportSize({ width: 375, height: 812 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);
});
