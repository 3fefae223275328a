import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { toContrast } from '#lib/representations/theming/color.ts';
import {
  expectNoSidewaysScrolling,
  setTextSpacing,
  showAll,
} from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';

test('a poster says when in words, with the exact days, and whether plans have changed', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?state=cancelled`);
  const cancelled = page.locator('.poster-card').first();
  await expect(cancelled.locator('.poster-state')).toHaveText('Cancelled');
  const when = cancelled.locator('.poster-when');
  await expect(when).toContainText(/Sun|Mon|Tue|Wed|Thu|Fri|Sat/);
  await expect(when).not.toContainText(' in ');
  await expect(cancelled.locator('.poster-button')).toContainText('Website');
  await expect(when.locator('time').first()).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\d$/);
  await page.goto(`${site.url}/?state=cancelled&view=list`);
  const edges = [when, cancelled.locator('.poster-state')].map((part) =>
    part.evaluate((element) => element.getBoundingClientRect().left),
  );
  const [whenLeft, stateLeft] = await Promise.all(edges);
  expect(whenLeft).toBe(stateLeft);
  await page.goto(`${site.url}/?status=upcoming`);
  const times = page.locator('.time-group > h3');
  await expect(times.first()).toHaveText(
    /^(Today|Tomorrow|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+|Next week|[A-Z][a-z]+ \d{4})/,
  );
  expect(await times.count()).toBeGreaterThan(1);
});

test('a poster says once what is online, and on which days it is in person', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?status=ongoing,upcoming`);
  const sumo = page.locator('.poster-card', { hasText: 'Robot Sumo' });
  await expect(sumo.locator('.poster-when .poster-detail').first()).toHaveText(
    /^Online\s· ends in/,
  );
  await expect(sumo.locator('.poster-place')).toHaveText(
    /^In person: .+\s· Market Hall No. 3, Ghent$/,
  );
  await expect(sumo.locator('.poster-kind')).not.toContainText('online');
  const moved = page.locator('.poster-card', { hasText: 'Drawn by Machine' });
  await expect(moved.locator('.poster-state')).toHaveText('Moved online');
  await expect(moved.locator('.poster-kind')).not.toContainText('Online');
  const derby = page.locator('.poster-card', { hasText: 'Soapbox Derby for Robots' });
  await expect(derby.locator('.poster-when')).not.toContainText('Online');
  await expect(derby.locator('.poster-kind')).toContainText('In person');
  await expect(derby.locator('.poster-place .icon')).toBeVisible();
});

test('the button says that it leads to the event’s website, on one line in the list, too', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?view=list`);
  const buttons = page.locator('.poster-card .poster-button');
  await expect(buttons.first()).toContainText(/Join|Website/);
  for (const width of [375, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const heights = await buttons.evaluateAll((all) =>
      all.map((button) => button.getBoundingClientRect().height),
    );
    expect(Math.max(...heights), `${width} px`).toBeLessThan(44);
  }
});

test('an event that is over says so, in muted colours', async ({ page, site }) => {
  await page.goto(`${site.url}/events/salvage-saturday`);
  await expect(page.locator('.ticket-status')).toHaveText('Past');
  const past = page.locator('.event-poster');
  await expect(past).toHaveAttribute('data-status', 'ended');
  await expect(past).not.toHaveAttribute('style', /--poster-background/);
});

test('a name in another script has its language, and its lines break and align as there', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?status=ongoing`);
  const night = page.locator('.poster-card', { hasText: '夜のゲームジャム' });
  await expect(night).toHaveAttribute('lang', 'ja');
  await expect(night.locator('.poster-name')).toHaveCSS('line-break', 'strict');
  await expect(night.locator('.poster-when')).toHaveCSS('direction', 'ltr');
  await page.goto(`${site.url}/events/night-train-hackathon`);
  await expect(page.locator('.event-poster .poster-name')).toHaveCSS('text-wrap-style', 'balance');
});

test('the bulbs of a marquee light up around the poster in use', async ({ page, site }) => {
  await page.goto(site.url);
  const poster = page.locator('.poster-card').first();
  await poster.hover();
  await expect(poster).toHaveCSS('outline-style', 'dotted');
  const heading = page.getByRole('heading', { level: 2, name: 'On now' });
  const bulbs = await heading.evaluate((title) => getComputedStyle(title, '::after').background);
  expect(bulbs).toContain('radial-gradient');
});

test('posters at every width', async ({ page, site }) => {
  await page.goto(site.url);
  await showAll(page);
  await test.step('read line by line, from left to right', async () => {
    for (const width of [768, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await expectInReadingOrder(page);
    }
  });
  await test.step('on a phone the first one’s date and title are above the fold', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    const poster = page.locator('.poster-card').first();
    await expect(poster.locator('.poster-when')).toBeInViewport({ ratio: 1 });
    await expect(poster.locator('.poster-name')).toBeInViewport({ ratio: 1 });
  });
  await test.step('60 % of a picture are clear, and texts on it have a contrast of 4.5:1', async () => {
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await expectClearPictures(page);
    }
  });
  await test.step('text with more spacing, or four times as large, is not cut off', async () => {
    await setTextSpacing(page);
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findCutTexts(page), `at ${width} px`).toEqual([]);
      await expectNoSidewaysScrolling(page);
    }
  });
});

async function expectInReadingOrder(page: Page): Promise<void> {
  const boxes = await page.locator('.wall').evaluateAll((walls) =>
    walls.map((wall) =>
      [...wall.children].map((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    ),
  );
  for (const cells of boxes) {
    cells.slice(1).forEach((cell, index) => {
      const before = cells[index];
      const isBeside = cell.left >= (before?.right ?? 0) && cell.top === before?.top;
      const isBelow = cell.top >= (before?.bottom ?? 0);
      const where = `poster ${index + 2} at ${page.viewportSize()?.width} px`;
      expect(isBeside || isBelow, where).toBe(true);
    });
  }
}

async function expectClearPictures(page: Page): Promise<void> {
  const posters = page.locator('.poster-card[data-look="picture"]');
  const clear = await posters.evaluateAll((all) =>
    all.map((poster) => {
      const { width: across, height } = poster.getBoundingClientRect();
      const texts = '.poster-when, .poster-name, .poster-place > span, .poster-kind > span';
      const covered = [...poster.querySelectorAll(`${texts}, .poster-top, .poster-button`)]
        .flatMap((part) => [...part.getClientRects()])
        .reduce((sum, rect) => sum + rect.width * rect.height, 0);
      return 1 - covered / (across * height);
    }),
  );
  expect(clear.length).toBeGreaterThan(4);
  for (const share of clear) expect(share).toBeGreaterThanOrEqual(0.6);
  for (const at of [0, 1, 2]) {
    const poster = posters.nth(at);
    await poster.scrollIntoViewIfNeeded();
    expect(await findLeastContrast(page, poster)).toBeGreaterThanOrEqual(4.5);
  }
}

/** The least contrast of a poster’s texts with the pixels behind them: those of a screenshot without the texts. */
async function findLeastContrast(page: Page, poster: Locator): Promise<number> {
  const texts = await poster.evaluate((element) => {
    const origin = element.getBoundingClientRect();
    return ['.poster-when', '.poster-name a', '.poster-kind > span'].flatMap((part) => {
      const text = element.querySelector(part);
      if (text === null) throw new Error(`The poster has no ${part}.`);
      const { color } = getComputedStyle(text);
      return [...text.getClientRects()].map(({ x, y, width, height }) => ({
        color,
        left: Math.ceil(x - origin.x) + 1,
        top: Math.ceil(y - origin.y) + 1,
        width: Math.max(Math.floor(width) - 2, 1),
        height: Math.floor(height) - 2,
      }));
    });
  });
  const hidden = await page.addStyleTag({
    content: `.poster * { color: transparent !important; }
      .poster time::before, .poster svg { opacity: 0; }`,
  });
  const image = await poster.screenshot();
  await hidden.evaluate((style) => style.parentNode?.removeChild(style));
  let least = 21;
  for (const { color, ...rect } of texts) {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
    const behind = sharp(image).extract(rect).raw();
    const { data, info } = await behind.toBuffer({ resolveWithObject: true });
    for (let at = 0; at < data.length; at += info.channels * 7) {
      const pixel = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0] as const;
      least = Math.min(least, toContrast([red, green, blue], pixel));
    }
  }
  return least;
}

/** Texts of posters that reach beyond their poster, or that are cut off by a box around them. */
function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.poster-card')].flatMap((poster) => {
      const frame = poster.getBoundingClientRect();
      const texts = poster.querySelectorAll(
        '.poster-when, .poster-name a, .poster-body p, .poster-button',
      );
      return [...texts].flatMap((text) => {
        const isOut = [...text.getClientRects()].some(
          ({ left, right, top, bottom }) =>
            left < frame.left - 1 ||
            right > frame.right + 1 ||
            top < frame.top - 1 ||
            bottom > frame.bottom + 1,
        );
        const isCut = text.scrollHeight > text.clientHeight + 1 && text.clientHeight > 0;
        const hides = getComputedStyle(text).overflow !== 'visible';
        return isOut || (isCut && hides) ? [text.textContent ?? ''] : [];
      });
    }),
  );
}
