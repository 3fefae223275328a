import { createServer } from 'node:http';
import { expect } from '@playwright/test';
import { addDays, addMonths, firstDayOf, toMonth } from '#lib/events/model/dates.ts';
import { chip } from '../../../browser/directory-parts.ts';
import { expectAccessible } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { toDay } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

/** The month view, subscriptions and embeds. */

const today = toDay(Date.now());
const month = addMonths(toMonth(today), 1);
const crowdedDay = addDays(firstDayOf(month), 9);
const overDay = addDays(firstDayOf(toMonth(today)), -5);

const crowded = [
  {
    Name: 'A year and a bit',
    'Start Date': addDays(today, -100),
    'End Date': addDays(today, 300),
  },
  {
    Name: 'Never mind',
    'Start Date': firstDayOf(month),
    'End Date': firstDayOf(month),
    State: 'Cancelled',
  },
  {
    Name: 'Last month',
    'Start Date': overDay,
    'End Date': overDay,
    'Background Type': 'Color',
    'Background Color': '#0000ff',
  },
  ...Array.from({ length: 50 }, (_, index) => ({
    Name: `Evening number ${index}`,
    'Start Date': crowdedDay,
    'End Date': crowdedDay,
  })),
].map((fields, index) => makeRecord(fields, index));

test('a crowded month', async ({ page, changing }) => {
  await changing.showEvents(crowded);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${changing.url}/calendar?month=${month}`);
  await test.step('an event of 400 days is a bar in every week', async () => {
    const weeks = await page.locator('.month-grid tbody tr').count();
    const bars = page
      .getByRole('link', { name: /^A year and a bit/ })
      .and(page.locator(':visible'));
    await expect(bars).toHaveCount(weeks);
    const row = await page.locator('.month-grid tbody tr').first().boundingBox();
    const bar = await bars.first().boundingBox();
    expect(bar?.width).toBeGreaterThan((row?.width ?? 0) - 4);
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(
      (row?.x ?? 0) + (row?.width ?? 0),
    );
  });
  await test.step('a cancelled event is struck through, and says why', async () => {
    const link = page.getByRole('link', { name: /^Cancelled: Never mind/ });
    await expect(link.getByText('Never mind')).toHaveCSS('text-decoration-line', 'line-through');
  });
  await test.step('a day with 50 events shows four, and “46 more” opens the others in place', async () => {
    const day = page.locator('td', { has: page.locator(`time[datetime="${crowdedDay}"]`) });
    await expect(day.getByRole('link', { name: /^Evening number/ })).toHaveCount(4);
    await day.getByText('+46 more').click();
    await expect(page).toHaveURL(`${changing.url}/calendar?month=${month}`);
    await expect(day.getByRole('link', { name: /^Evening number/ })).toHaveCount(24);
    await expectAccessible(page);
    await day.getByRole('link', { name: 'All of this day' }).click();
    await expect(page).toHaveURL(`${changing.url}/?from=${crowdedDay}&to=${crowdedDay}`);
    await expect(page.getByRole('heading', { name: 'Evening number 49' })).toBeVisible();
  });
});

test('days that are over are muted: a trace of the poster’s colour, and light type', async ({
  page,
  changing,
}) => {
  await changing.showEvents(crowded);
  await page.setViewportSize({ width: 1440, height: 900 });
  const styleOf = async (name: RegExp) => {
    const bar = page.getByRole('link', { name }).and(page.locator(':visible')).first();
    return bar.evaluate((element) => {
      const { fontWeight, color } = getComputedStyle(element);
      return { fontWeight: Number(fontWeight), color };
    });
  };
  await page.goto(`${changing.url}/calendar?month=${toMonth(overDay)}`);
  const over = await styleOf(/^Last month/);
  expect(over.fontWeight).toBe(400);
  expect(over.color).toBe('rgb(20, 20, 20)');
  expect((await styleOf(/^A year and a bit/)).fontWeight).toBeGreaterThan(600);
  await page.setViewportSize({ width: 375, height: 812 });
  await expect(page.locator('.agenda-event[data-status="ended"]').first()).toHaveCSS(
    'color',
    'rgb(20, 20, 20)',
  );
});

test('a month is a table on a desk, and a list on a phone', async ({ page, site }) => {
  await page.goto(`${site.url}/calendar`);
  await test.step('it is a table to screen readers, with a column for each weekday', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const table = page.getByRole('table', { name: /week by week$/ });
    const weekdays = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ');
    await expect(table.getByRole('columnheader')).toHaveText(weekdays);
    const rows = await table.getByRole('row').count();
    await expect(table.getByRole('cell')).toHaveCount((rows - 1) * 7);
    await expect(table.locator('[aria-current="date"]')).toHaveAttribute('datetime', today);
  });
  await test.step('on a phone the month is a list of days', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Day by day' })).toBeVisible();
    await page.locator('.agenda-event a:visible').first().click();
    await expect(page).toHaveURL(/\/events\/[^/]+$/);
  });
});

test('in forced colours bars and tiles have an edge, and today is marked', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.url}/calendar`);
  await expect(page.locator('.month-bar a').first()).toHaveCSS('border-top-width', '1px');
  await expect(page.locator('[data-today] time').first()).toHaveCSS('border-top-width', '2px');
  await page.goto(`${site.url}/embed`);
  await expect(page.locator('.tile').first()).toHaveCSS('border-top-width', '1px');
});

test.describe('in a page of another site', () => {
  test.use({ allowed: /frame-ancestors|Framing|ERR_BLOCKED_BY_RESPONSE/ });

  test('the embed shows, opens the site in a new tab, and no other page shows', async ({
    page,
    site,
  }) => {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<title>Elsewhere</title><iframe name="embed" src="${site.url}/embed?count=2"></iframe>
        <iframe name="site" src="${site.url}/subscribe"></iframe>`,
      );
    });
    await using foreign = await listenOnLoopback(server);
    await page.goto(`${foreign.url}/`);
    const embed = page.frameLocator('iframe[name="embed"]');
    await expect(embed.getByRole('listitem')).toHaveCount(2);
    const blocked = page.frameLocator('iframe[name="site"]');
    await expect(blocked.getByRole('heading', { name: 'Subscribe' })).toHaveCount(0);
    const opened = page.waitForEvent('popup');
    await embed.getByRole('link').nth(1).click();
    await (await opened).waitForURL(`${site.url}/events/**`);
    expect(page.url()).toBe(`${foreign.url}/`);
  });
});

test('a page that isolates itself shows pictures and embeds', async ({ page, site }) => {
  const [event] = (await (await page.request.get(`${site.url}/api/v1/events?q=robot+sumo`)).json())
    .data;
  const picture = `${site.url}${new URL(event.pictures.background.url).pathname}?w=320`;
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.end(
      `<title>Elsewhere</title><img src="${picture}" alt=""><iframe src="${site.url}/embed?count=2"></iframe>`,
    );
  });
  await using foreign = await listenOnLoopback(server);
  await page.goto(`${foreign.url}/`);
  const widthOf = (image: Element) => (image as HTMLImageElement).naturalWidth;
  await expect.poll(() => page.locator('img').evaluate(widthOf)).toBe(320);
  await expect(page.frameLocator('iframe').getByRole('listitem')).toHaveCount(2);
});

test('a month has filters from the start, which keep it', async ({ page, site }) => {
  await page.goto(`${site.url}/calendar?month=${month}`);
  await chip(page, 'Online').click();
  await expect(page).toHaveURL(`${site.url}/calendar?format=online&month=${month}`);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('jam');
  await page.getByRole('searchbox', { name: 'Search events' }).press('Enter');
  await expect(page).toHaveURL(`${site.url}/calendar?q=jam&format=online&month=${month}`);
  await expect(chip(page, 'This weekend')).toHaveCount(0);
});
