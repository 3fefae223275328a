import { chromium, expect } from '@playwright/test';
import { chromiumArguments, findHeadlessChromium } from '../../support/clients/chromium.ts';
import { test } from '../site-test.ts';

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

test('back shows a page as it was left: its scroll position, its filters and its scripts', async ({
  site,
}) => {
  // Playwright turns the back/forward cache off.
  await using browser = await chromium.launch({
    executablePath: findHeadlessChromium(),
    args: chromiumArguments,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const page = await browser.newPage({ viewport: { width: 375, height: 812 } });
  for (const path of paths) {
    await page.goto(site.url + path);
    const left = await page.evaluate(() => {
      scrollTo(0, 300);
      addEventListener('pageshow', ({ persisted }) => {
        document.body.dataset.persisted = String(persisted);
      });
      return scrollY;
    });
    await page.goto(`${site.url}/recent`);
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(site.url + path);
    await expect(page.locator('body'), path).toHaveAttribute('data-persisted', 'true');
    expect(await page.evaluate(() => scrollY), path).toBe(left);
  }
});
