import { expect } from '@playwright/test';
import { expectNoSidewaysScrolling } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';

const texts = [
  '<script>alert(1)</script>"><img src=x onerror=alert(1)>',
  'סדנת לילה مهرجان',
  '🛠️👩‍👩‍👧‍👦🔥',
  'x'.repeat(200),
  '50% & more? #1 + = / \\',
];

test('any text can be searched for: no match, in the URL, and harmless', async ({ page, site }) => {
  page.on('dialog', () => expect('a dialog').toBe('never opened'));
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(site.url);
  const field = page.getByLabel('Search events');
  for (const text of texts) {
    await field.fill(text);
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === text);
    await expect(page.getByText('No events match.')).toBeVisible();
    await expectNoSidewaysScrolling(page);
  }
  for (const text of texts.slice(0, 3)) {
    await page.goto(`${site.url}/?q=${encodeURIComponent(text)}`);
    await expect(field).toHaveValue(text);
    await expect(page.getByText('No events match.')).toBeVisible();
    await expectNoSidewaysScrolling(page);
    await expect(page.locator('main script:not([type="application/ld+json"])')).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'show all events' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('the search field takes 200 of 10,000 characters', async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByLabel('Search events').click();
  await page.keyboard.insertText('xyzzy '.repeat(1_667));
  await expect(page.getByText('No events match.')).toBeVisible();
  await expect(page.getByLabel('Search events')).toHaveValue(/^.{1,200}$/);
});

test('a URL with a search of 10,000 characters shows an error, and events', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${site.url}/?q=${'x'.repeat(10_000)}`);
  await expect(page.locator('.notice')).toContainText('200');
  await expect(page.getByRole('heading', { level: 2, name: 'On now' })).toBeVisible();
  await expectNoSidewaysScrolling(page);
});

test('a misspelled name is understood while one types', async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByLabel('Search events').fill('robto sumo');
  await expect(page.locator('.poster-name')).toHaveText(['Robot Sumo, Cardboard League']);
});
