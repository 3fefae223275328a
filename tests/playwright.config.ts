import { defineConfig } from '@playwright/test';
import { chromiumArguments, findChromium } from './support/chromium.ts';

/** Pages in a real browser, against a server that was built beforehand. */
export default defineConfig({
  testDir: 'browser',
  outputDir: '../test-results/browser',
  timeout: 30_000,
  workers: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findChromium(),
      args: chromiumArguments,
      chromiumSandbox: false,
    },
  },
});
