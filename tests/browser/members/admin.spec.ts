import { expect } from '@playwright/test';
import { expectUsable } from '../page-measures.ts';
import { test } from '../site-test.ts';
import { oddName, signIn } from '../sites/members-site.ts';

test('an admin finds a member, sets a budget, disables them, and sees it in the log; by keyboard, too', async ({
  page,
  browser,
  members,
}) => {
  // Somebody who has signed in, with a name that is markup.
  const other = await browser.newContext();
  await signIn(await other.newPage(), members, oddName);
  await signIn(page, members, 'Robin Osei');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByLabel('Name, email address or id').fill('max@makers');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 person found for “max@makers”.')).toBeVisible();
  await page.getByRole('link', { name: /Max/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x onerror');

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
  await expect(lines.nth(0)).toContainText('Robin Osei disabled');
  await expect(lines.nth(1)).toContainText('Robin Osei set the budget of');
  await expect(lines.nth(1)).toContainText('5.00 USD/day');
  await other.close();
});

test('on a phone every key is a card, with Revoke in sight', async ({ page, members }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, members, 'Robin Osei');
  await page.getByLabel('Name').fill('on a phone');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.goto(`${members.url}/admin/keys?q=on+a+phone`);
  const button = page.getByRole('button', { name: 'Revoke on a phone' });
  const { x = 375, width = 0 } = (await button.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(375);
});

test('every admin page is accessible in both schemes, on a phone and on a desk', async ({
  page,
  members,
}) => {
  test.slow();
  await signIn(page, members, 'Robin Osei');
  const [, member = ''] =
    /href="(\/admin\/members\/[^"]+)"/.exec(
      await (await page.request.get(`${members.url}/admin/members`)).text(),
    ) ?? [];
  const areas =
    ' /members /groups /keys /requests /usage /upstreams /events /webhooks /deliveries /log'.split(
      ' ',
    );
  for (const path of [...areas.map((area) => `/admin${area}`), member]) {
    await page.goto(members.url + path);
    await expectUsable(page);
  }
  // Without a group, the form of a new one is open.
  await page.goto(`${members.url}/admin/groups`);
  await page.getByLabel('Name', { exact: true }).fill('Night & day');
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('link', { name: 'Night & day' }).click();
  await expect(page.getByRole('button', { name: 'Set budget' })).toBeVisible();
  await expectUsable(page);
});

test('a webhook is created, and its page with the secret and a delivery is accessible', async ({
  page,
  members,
}) => {
  test.slow();
  await signIn(page, members, 'Robin Osei');
  await page.goto(`${members.url}/admin/webhooks`);
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
