import { expect } from '@playwright/test';
import { expectAccessible, showAll } from '../../../browser/page-measures.ts';
import { test, waitForHydration } from '../../../browser/site-test.ts';

/** What a phone shows of the site. */

test.use({ viewport: { width: 375, height: 812 } });

test('a menu has all pages, and the map is beside it; Escape closes it', async ({ page, site }) => {
  await page.goto(site.url);
  await waitForHydration(page);
  await expect(page.locator('.site-nav').getByRole('link', { name: 'Map' })).toBeVisible();
  const menu = page.locator('.site-menu');
  await menu.locator('summary').click();
  await expect(menu.getByRole('link')).toHaveText([
    'Events',
    'Calendar',
    'Map',
    'AI models',
    'Docs',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu.getByRole('link', { name: 'Calendar' })).toBeHidden();
  await menu.locator('summary').click();
  await menu.getByRole('link', { name: 'Calendar' }).click();
  await expect(page).toHaveURL(`${site.url}/calendar`);
});

test('a row of the list is 120 px high at most', async ({ page, site }) => {
  await page.goto(`${site.url}/?view=list`);
  await showAll(page);
  const heights = await page
    .locator('.poster-card')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(10);
  expect(Math.max(...heights)).toBeLessThanOrEqual(120);
});

test('a period begins with what begins in it; what runs is folded below', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?when=next-month`);
  const running = page.locator('.also-running');
  await expect(running.getByRole('heading', { name: /^Also running: \d+$/ })).toBeVisible();
  const listed = await page.locator('.also-running li').count();
  expect(listed).toBeGreaterThan(0);
  await expect(running.getByRole('listitem').first()).toBeHidden();
  // A click would miss it while the posters above it, once in view, take their heights.
  await running.locator('summary').press('Enter');
  await expect(running.getByRole('listitem').first()).toBeVisible();
  await expect(running.locator('.count')).toHaveText(String(listed));
  await expectAccessible(page);
});
