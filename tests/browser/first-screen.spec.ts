import { expect, type Page } from '@playwright/test';
import { test } from './site-test.ts';

/** On a phone the first screen is shown first, and the posters below it right after, whatever happens. */

test.use({ viewport: { width: 375, height: 812 } });

declare global {
  interface Window {
    steps: (string | null)[];
    secondStepAt: number;
  }
}

/** Keeps how many posters the page lets itself draw, one step after the other; null is all of them. */
async function watchSteps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.steps = [];
    new MutationObserver((records) => {
      for (const { target } of records) {
        if (window.steps.length === 1) window.secondStepAt = performance.now();
        window.steps.push((target as Element).getAttribute('data-posters'));
      }
    }).observe(document, { subtree: true, attributeFilter: ['data-posters'] });
  });
}

const readSteps = (page: Page) => page.evaluate(() => window.steps);

async function expectAllDrawn(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute('data-posters');
  const hidden = await page
    .locator('.wall-cell > article')
    .evaluateAll((all) => all.filter((one) => getComputedStyle(one).contentVisibility !== 'auto'));
  expect(hidden).toEqual([]);
}

test('posters below the first screen follow it one by one', async ({ page, site }) => {
  await watchSteps(page);
  await page.goto(site.url);
  await expect.poll(() => readSteps(page)).toEqual(['1', '2', '3', null]);
  const [paint, stepAt] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    window.secondStepAt,
  ]);
  expect(stepAt).toBeGreaterThan(paint ?? Number.NaN);
  await expectAllDrawn(page);
});

test('a browser that does not say when it has painted shows them, too', async ({ page, site }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await watchSteps(page);
  await page.goto(site.url);
  await expect.poll(() => readSteps(page)).toEqual(['1', '2', '3', null]);
  await expectAllDrawn(page);
});

test('who comes from our own pages, or back, has the whole wall at once', async ({
  page,
  site,
}) => {
  await watchSteps(page);
  await page.goto(`${site.url}/docs`);
  await expect.poll(() => readSteps(page)).toEqual(['1', '2', '3', null]);
  await page.locator('.site-name').click();
  await expect(page.locator('.wall-cell').first()).toBeVisible();
  expect(await readSteps(page)).toEqual([]);
  await page.reload();
  await expect(page.locator('.wall-cell').first()).toBeVisible();
  expect(await readSteps(page)).toEqual([]);
  await expectAllDrawn(page);
});
