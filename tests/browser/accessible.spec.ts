import { docsPaths } from '#lib/docs/pages.ts';
import {
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScrolling,
} from './page-measures.ts';
import { test } from './site-test.ts';

// The browser logs the 404.
test.use({ allowed: /status of 404/ });

const paths = [
  '/',
  '/?q=nothing-has-this-name',
  '/?status=later&q=robot',
  '/events/night-train-hackathon',
  '/events/little-languages',
  '/calendar',
  '/calendar?month=2019-01',
  '/subscribe?format=online',
  '/events/lantern-night',
  '/events/museum-of-broken-things',
  '/events/bench-test',
  '/saved',
  ...docsPaths,
  '/models',
  '/nothing-here',
  '/events/nite-train',
];

for (const path of paths) {
  test(`accessible, without sideways scrolling: ${path}`, async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(site.url + path);
    await expectNoSidewaysScrolling(page);
    await expectLargeTargets(page);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectNoSidewaysScrolling(page);
    await expectLargeTargets(page);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page);
    await page.setViewportSize({ width: 2560, height: 1300 });
    await expectNoSidewaysScrolling(page);
  });
}
