import { expect, type Page } from '@playwright/test';
import { test } from './site-test.ts';

/** On a first page our typefaces come after everything else, and nothing moves for them. */

declare global {
  interface Window {
    shifts: number;
  }
}

const isFont = (url: string) => url.endsWith('.woff2');

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.shifts += (entry as { value?: number }).value ?? 0;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const readFamily = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).fontFamily);

for (const width of [375, 1440]) {
  for (const path of ['/', '/events/robot-sumo-cardboard-league', '/docs/api']) {
    test(`nothing of ${path} moves for its typefaces at ${width} px`, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 });
      await watchShifts(page);
      const fonts: string[] = [];
      page.on('request', (request) => isFont(request.url()) && fonts.push(request.url()));
      await page.goto(site.url + path);
      expect(fonts).toEqual([]);
      await expect(page.locator('.site-name')).toHaveAttribute('data-type', 'set');
      expect(fonts.length).toBeGreaterThan(0);
      expect(await page.evaluate(() => window.shifts)).toBeLessThan(0.001);
      await expect(page.locator('html')).toHaveAttribute('data-type', 'waiting');
    });
  }
}

test('the second page has them from the start', async ({ page, site }) => {
  await page.goto(site.url);
  expect(await readFamily(page, 'main p')).not.toMatch(/^"?textExtended/);
  await expect(page.locator('.site-name')).toHaveAttribute('data-type', 'set');
  await page.goto(`${site.url}/docs`);
  await expect(page.locator('html')).not.toHaveAttribute('data-type');
  expect(await readFamily(page, 'main p')).toMatch(/^"?textExtended/);
  expect(await page.evaluate(() => document.fonts.check('16px text'))).toBe(true);
});

test('what is typed on a first page is drawn in one face with all the rest', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await expect(page.locator('.site-name')).toHaveAttribute('data-type', 'set');
  await page.getByRole('searchbox', { name: 'Search events' }).pressSequentially('jam');
  await expect(page.locator('html')).not.toHaveAttribute('data-type');
});
