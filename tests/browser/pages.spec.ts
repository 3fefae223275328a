import { expect } from '@playwright/test';
import { expectNoSidewaysScrolling } from './page-measures.ts';
import { test } from './site-test.ts';

// The browser logs the 404.
test.use({ allowed: /status of 404/ });

test('every kind of page has a title, and fits the narrowest phone', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of [
    '/',
    '/?view=list',
    '/events/night-train-hackathon',
    '/calendar',
    '/map',
    '/in/ghent',
    '/recent',
    '/changes',
    '/subscribe',
    '/saved',
    '/docs',
    '/docs/api',
    '/models',
    '/account',
    '/nothing-here',
  ]) {
    await page.goto(site.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectNoSidewaysScrolling(page);
  }
  await page.goto(`${site.url}/embed?count=3`);
  await expect(page.getByRole('listitem')).toHaveCount(3);
});
