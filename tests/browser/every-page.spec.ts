import { expect } from '@playwright/test';
import { expectNoSidewaysScrolling, findClippedTexts, setTextSpacing } from './page-measures.ts';
import { test } from './site-test.ts';

/** What holds for every kind of page. */

// The browser logs the 404.
test.use({ allowed: /status of 404/ });

const paths = [
  '/',
  '/?view=list',
  '/?q=nothing-has-this-name',
  '/events/night-train-hackathon',
  '/events/lantern-night',
  '/calendar',
  '/calendar?month=2019-01',
  '/subscribe?q=jam',
  '/embed?count=20',
  '/saved',
  '/docs',
  '/docs/api',
  '/docs/ai',
  '/docs/agents',
  '/models?can=tools',
  '/nothing-here',
  '/events/nite-train',
];

for (const path of paths) {
  test(`text spacing and 400 % zoom cut nothing off: ${path}`, async ({ page, site }) => {
    // 1280 px at 400 % are 320.
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(site.url + path);
      await setTextSpacing(page);
      await expectNoSidewaysScrolling(page);
      expect(await findClippedTexts(page), `${path} at ${width} px`).toEqual([]);
    }
  });
}

test('in forced colours every control has an edge, and what is chosen is marked', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  for (const path of ['/?format=online', '/events/night-train-hackathon', '/calendar', '/models']) {
    await page.goto(site.url + path);
    const bare = await page
      .locator(':is(.button, .button-quiet, .chip, .layout-choice, .join-button):visible')
      .evaluateAll((controls) =>
        controls
          .filter((control) => Number.parseFloat(getComputedStyle(control).borderTopWidth) < 1)
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
    expect(bare, path).toEqual([]);
  }
  await page.goto(`${site.url}/?format=online`);
  for (const chosen of ['.chip[aria-current]', '.layout-choice[aria-current]']) {
    await expect(page.locator(chosen)).toHaveCSS('outline-style', 'solid');
  }
});

test('in forced colours a ticket has the visitor’s colours and an edge', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${site.url}/events/night-train-hackathon`);
  const ticket = page.locator('.ticket');
  await expect(ticket).toHaveCSS('border-top-style', 'solid');
  const [canvas, text] = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    return ['Canvas', 'CanvasText'].map((name) => {
      probe.style.color = name;
      return getComputedStyle(probe).color;
    });
  });
  await expect(ticket).toHaveCSS('background-color', canvas ?? '');
  await expect(ticket.locator('.ticket-words')).toHaveCSS('color', text ?? '');
});

test('at 320 px the header is one line', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(site.url);
  const header = await page.locator('.site-header').boundingBox();
  expect(header?.height).toBeLessThan(68);
});
