import { defineConfig } from '@playwright/test';
import { isCi } from './programs.ts';
import { chromiumArguments, findHeadlessChromium } from './support/clients/chromium.ts';
import { patienceMs } from './support/patience.ts';

/** Pages in a real browser, against a server that was built beforehand. */
export default defineConfig({
  testMatch: '**/*.spec.ts',
  globalSetup: './browser/sites/shared-site.ts',
  outputDir: '../test-results/browser',
  reporter: './progress/playwright-reporter.ts',
  timeout: 5 * patienceMs,
  expect: { timeout: patienceMs },
  workers: 3,
  forbidOnly: true,
  retries: isCi() ? 1 : 0,
  // Node runs TypeScript by itself: transpiling took 5 s at the start.
  build: { external: ['**'] },
  use: {
    browserName: 'chromium',
    // Pictures of pages on their way from one to the next take more time than the pages.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findHeadlessChromium(),
      args: chromiumArguments,
      chromiumSandbox: false,
    },
  },
});
