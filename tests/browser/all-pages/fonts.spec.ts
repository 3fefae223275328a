import { expect } from '@playwright/test';
import { test } from '../site-test.ts';

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
    await page.addInitScript(() => {
      window.shiftScore = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if ('value' in entry) window.shiftScore += Number(entry.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // Late enough for the fallback to be painted first.
    await page.route('**/*.woff2', async (route) => {
      await page.waitForTimeout(500);
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
