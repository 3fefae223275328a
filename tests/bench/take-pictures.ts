import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { chromiumArguments, findHeadlessChromium } from '../support/clients/chromium.ts';

/**
 * `npm run pictures -- KEY`: takes the pictures of the README from a running `npm run demo`, which prints the key.
 * `--url` is where it runs.
 */
const { values, positionals } = parseArgs({
  options: { url: { type: 'string', default: 'http://localhost:3000' } },
  allowPositionals: true,
});

const folder = resolve(import.meta.dirname, '../../.github');
const [key = ''] = positionals;

const scenes: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  posters: async (page) => {
    await page.goto(values.url);
    await showPictures(page);
  },
  playground: async (page) => {
    await page.goto(`${values.url}/models`);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Model', { exact: true }).fill('lantern-demo/wick-3');
    await page.getByLabel('Message').fill('Name three constellations.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Copy' }).last().waitFor();
    await page.locator('#playground').evaluate((node) => node.scrollIntoView());
    await showPictures(page);
  },
};

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const executablePath = findHeadlessChromium();
  await using browser = await chromium.launch({ executablePath, args: [...chromiumArguments] });
  for (const colorScheme of ['light', 'dark'] as const) {
    await using context = await browser.newContext({
      colorScheme,
      viewport: { width: 1440, height: 1080 },
      reducedMotion: 'reduce',
    });
    for (const [name, show] of Object.entries(scenes)) {
      const page = await context.newPage();
      await show(page);
      const picture = await page.screenshot();
      await sharp(picture)
        .webp({ quality: 80 })
        .toFile(join(folder, `${name}-${colorScheme}.webp`));
    }
  }
}

/** Waits until all pictures in view are shown. */
async function showPictures(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

await main();
