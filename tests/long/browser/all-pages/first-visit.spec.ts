import { expect } from '@playwright/test';
import { test, waitForHydration } from '../../../browser/site-test.ts';
import { warmPages } from '../../../browser/sites/warm-pages.ts';

declare global {
  interface Window {
    unloadListeners: string[];
  }
}

const paths = [
  '/',
  '/?when=month&view=list',
  '/calendar',
  '/map',
  '/events/robot-sumo-cardboard-league',
  '/docs',
  '/models',
  '/saved',
  '/subscribe',
];

test.use({ viewport: { width: 375, height: 812 } });

test('the back/forward cache may keep every public page: nothing forbids it, and nothing listens to unload', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    window.unloadListeners = [];
    const add = window.addEventListener;
    window.addEventListener = (type: string, ...rest: unknown[]) => {
      if (/^(?:before)?unload$/.test(type)) window.unloadListeners.push(type);
      Reflect.apply(add, window, [type, ...rest]);
    };
  });
  for (const path of paths) {
    const response = await page.goto(site.url + path);
    expect(response?.headers()['cache-control'], path).not.toContain('no-store');
    await waitForHydration(page);
    expect(await page.evaluate(() => window.unloadListeners), path).toEqual([]);
  }
});

test('back shows a list with its filters, where it was left', async ({ page, site }) => {
  const path = '/?projectType=Electronics&view=list';
  // Instead of a list the visitor would leave the 504 of a busy server.
  await warmPages(site.url, [path, '/recent']);
  await page.goto(site.url + path);
  await waitForHydration(page);
  await page.evaluate(() => scrollTo(0, 400));
  await page.goto(`${site.url}/recent`);
  await page.goBack();
  await expect(page).toHaveURL(site.url + path);
  await expect(page.locator('.chip[aria-current]', { hasText: 'Electronics' })).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(400);
});

test('the list above the fold does not wait for scripts', async ({ page, site }) => {
  // They never come.
  await page.route('**/_next/static/**/*.js', () => {});
  await page.goto(site.url, { waitUntil: 'commit' });
  await expect(page.locator('.poster-when').first()).toBeInViewport();
  await page
    .getByRole('link', { name: 'Robot Sumo, Cardboard League' })
    .first()
    .click({ noWaitAfter: true });
  await expect(page).toHaveURL(`${site.url}/events/robot-sumo-cardboard-league`);
});

test('the scripts of a first visit are 160 kB at most', async ({ page, site }) => {
  await page.goto(site.url, { waitUntil: 'networkidle' });
  const paths = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  );
  let bytes = 0;
  for (const path of new Set(paths)) {
    const response = await fetch(path, { headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(response.headers.get('content-length'));
  }
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(160_000);
});
