import { expect } from '@playwright/test';
import { test, waitForHydration } from './site-test.ts';

test('trying an operation shows status, time, headers and a formatted body', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/docs/api#listEvents`);
  await waitForHydration(page);
  const form = page.getByRole('form', { name: 'Try listEvents', exact: true });
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
