import { expect, type Page } from '@playwright/test';
import { test, waitForHydration } from '../../../browser/site-test.ts';

declare global {
  interface Window {
    shiftScore: number;
  }
}

for (const path of ['/', '/events/robot-sumo-cardboard-league', '/docs', '/models']) {
  test(`a first visit gets the site’s typefaces, and nothing moves: ${path}`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await countShifts(page);
    await page.route('**/*.woff2', async (route) => {
      // By then the fallback is painted.
      await page.waitForFunction(() => performance.getEntriesByType('paint').length === 2);
      await route.continue();
    });
    await page.goto(site.url + path);
    await page.evaluate(() => document.fonts.ready);
    const loaded = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    );
    expect(loaded).toEqual(expect.arrayContaining(['text', 'display', 'mono']));
    await expect(page.locator('link[rel="preload"][as="font"]')).toHaveCount(0);
    expect(await page.evaluate(() => window.shiftScore)).toBeLessThan(0.02);
  });
}

test('the typefaces of a first visit are 80 kB at most', async ({ page, site }) => {
  for (const path of ['/', '/events/robot-sumo-cardboard-league', '/docs']) {
    await page.goto(site.url + path);
    await page.evaluate(() => document.fonts.ready);
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.woff2'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes, path).toBeGreaterThan(40_000);
    expect(bytes, path).toBeLessThanOrEqual(80_000);
  }
});

test.describe('without typefaces', () => {
  test.use({ allowed: /ERR_FAILED/ });

  test('rows of the list are as high at once as they will be', async ({ page, site }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await countShifts(page);
    await page.route('**/*.woff2', (route) => route.abort());
    await page.goto(`${site.url}/?view=list`);
    await expect(page.locator('.poster-card').first()).toBeVisible();
    await waitForHydration(page);
    expect(await page.evaluate(() => window.shiftScore)).toBeLessThan(0.02);
  });
});

/** Sums up the layout shifts of the page that is opened next. */
function countShifts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    window.shiftScore = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry) window.shiftScore += Number(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
