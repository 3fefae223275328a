import { expect, type Page } from '@playwright/test';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import {
  allLooks,
  expectAccessible,
  expectNoSidewaysScrolling,
  expectUsable,
  findClippedTexts,
  readSystemColors,
  setTextSpacing,
} from '../../../browser/page-measures.ts';
import { test, watchContext } from '../../../browser/site-test.ts';

/** What holds for every kind of page. */

// The browser logs the 404.
test.use({ allowed: /status of 404/ });

const paths = [
  '/',
  '/?view=list',
  '/?q=nothing-has-this-name',
  '/?status=later&q=robot',
  '/events/night-train-hackathon',
  '/events/little-languages',
  '/events/lantern-night',
  '/events/museum-of-broken-things',
  '/events/bench-test',
  '/calendar',
  '/calendar?month=2019-01',
  '/subscribe?format=online&q=jam',
  '/recent',
  '/map',
  '/map?area=europe',
  '/in/ghent',
  '/by/solder-society',
  '/series/solder-sundays',
  '/?near=51.1,3.7&within=500',
  '/saved',
  ...docsPaths,
  '/models',
  '/models?can=tools',
  '/nothing-here',
  '/events/nite-train',
];

test.describe('in one tab, which compiles scripts and axe once', () => {
  let tab: Page;
  let problems: string[];

  test.beforeAll(async ({ browser }) => {
    tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    problems = await watchContext(tab.context());
  });

  test.afterAll(() => tab.close());

  for (const path of paths) {
    test(`accessible, and cuts nothing off: ${path}`, async ({ site, allowed }) => {
      await tab.goto(site.url + path);
      // A month is a table on a desk, and a list on a phone.
      await expectUsable(tab, path.startsWith('/calendar') ? allLooks : undefined);
      await tab.setViewportSize({ width: 2560, height: 1300 });
      await expectNoSidewaysScrolling(tab);
      await expectNothingCutOff(tab);
      expect(problems.splice(0).filter((problem) => !allowed?.test(problem))).toEqual([]);
    });
  }
});

test('accessible, and cuts nothing off: an embed', async ({ page, site }) => {
  for (const scheme of ['light', 'dark']) {
    await page.goto(`${site.url}/embed?count=20&scheme=${scheme}`);
    await expectAccessible(page);
  }
  await expectNothingCutOff(page);
});

/** Expects room for wide text spacing, on a phone, on a desk, and at 400 %: 1280 px are 320 then. */
async function expectNothingCutOff(page: Page): Promise<void> {
  await setTextSpacing(page);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScrolling(page);
    expect(await findClippedTexts(page), `${page.url()} at ${width} px`).toEqual([]);
  }
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
  const { ground, text } = await readSystemColors(page);
  await expect(ticket).toHaveCSS('background-color', ground);
  await expect(ticket.locator('.ticket-words')).toHaveCSS('color', text);
});

test('in the header icons have words at wide widths, and titles at narrow ones; at 320 px it is one line', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  for (const word of ['My list', 'Theme']) {
    const control = page.locator('.site-nav .icon-button', { hasText: word });
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(control.getByText(word)).not.toHaveCSS('font-size', '0px');
    await page.setViewportSize({ width: 375, height: 812 });
    await expect(control).toHaveAttribute('title', /./);
    await expect(control).toHaveAccessibleName(word);
  }
  await expect(page.getByRole('link', { name: 'Subscribe' }).first()).not.toHaveCSS(
    'font-size',
    '0px',
  );
  await page.setViewportSize({ width: 320, height: 640 });
  const header = await page.locator('.site-header').boundingBox();
  expect(header?.height).toBeLessThan(68);
});

test('the names in choices are never cut off', async ({ page, site }) => {
  // 1440 px at 200 % are 720.
  for (const path of ['/', '/subscribe', '/models']) {
    await page.goto(site.url + path);
    const dates = page.getByText('Dates', { exact: true });
    if (path === '/') await dates.click();
    for (const width of [320, 720, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findCutChoices(page), `${path} at ${width} px`).toEqual([]);
    }
  }
});

/** Chosen options that are longer than their field. */
function findCutChoices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('select')].flatMap((select) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      if (context) context.font = font;
      const words = select.selectedOptions[0]?.textContent ?? '';
      const room =
        select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return (context?.measureText(words).width ?? 0) > room + 1 ? [words] : [];
    });
  });
}
