import { expect, type Page } from '@playwright/test';
import { test } from './site-test.ts';

const paper = 'rgb(242, 242, 239)';
const night = 'rgb(16, 17, 18)';

test('the switch changes the scheme on every page, from the first frame on', async ({
  page,
  site,
}) => {
  await recordFrames(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(site.url);
  const html = page.locator('html');
  await expect(html).toHaveCSS('background-color', night);
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(html).toHaveCSS('background-color', paper);
  for (const path of ['/', '/events/little-languages', '/docs/api', '/models']) {
    await page.goto(site.url + path);
    await page.waitForFunction(() => document.body.dataset.frames?.includes(','));
    const frames = (await page.locator('body').getAttribute('data-frames')) ?? '';
    expect(new Set(frames.split(',')), path).toEqual(new Set([paper.replaceAll(',', '')]));
  }
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.reload();
  await expect(html).toHaveCSS('background-color', night);
});

/** Records the background of every frame from the first one with a body. */
async function recordFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const frames: string[] = [];
    const record = () => {
      if (document.body) {
        frames.push(getComputedStyle(document.documentElement).backgroundColor.replaceAll(',', ''));
        document.body.dataset.frames = frames.join(',');
      }
      if (frames.length < 30) requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
}
