import { expect } from '@playwright/test';
import { addMonths, toMonth } from '#lib/events/model/dates.ts';
import { toDay } from '../support/servers/marquee-server.ts';
import { chip, counts, listNames } from './directory-parts.ts';
import { expectAccessible } from './page-measures.ts';
import { delayRequests, delayScripts, test, watchContext } from './site-test.ts';

/** Lists of events: found, filtered, by month, on the map and subscribed to. */

const nextMonth = addMonths(toMonth(toDay(Date.now())), 1);

test('the directory shows its sections and who runs the site, and links to events', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  for (const title of ['Pinned', 'On now', 'Also running', 'Coming up', 'Past']) {
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText('Run by volunteers of the Harbour Makers.');
  for (const [title, href] of [
    ['Submit an event', 'https://forms.example/new?table=events'],
    ['Contact us', 'mailto:hello@events.example'],
    ['Subscribe', '/subscribe'],
  ] as const) {
    await expect(footer.getByRole('link', { name: title })).toHaveAttribute('href', href);
  }
  const link = page.getByRole('region', { name: 'Coming up' }).locator('.poster-name a').first();
  const name = (await link.textContent()) ?? '';
  await link.click();
  await expect(page).toHaveURL(/\/events\/[a-z0-9-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('other representations are linked in the head and on the page', async ({ page, site }) => {
  await page.goto(site.url);
  const alternates = page.locator('link[rel="alternate"]');
  for (const type of [
    'text/markdown',
    'application/rss+xml',
    'application/atom+xml',
    'application/feed+json',
    'text/calendar',
  ]) {
    await expect(alternates.and(page.locator(`[type="${type}"]`))).toHaveCount(1);
  }
  const links = page.getByRole('navigation', { name: 'This list in other formats' });
  for (const name of ['Markdown', 'JSON', 'RSS', 'Atom', 'JSON Feed', 'iCalendar']) {
    const href = await links.getByRole('link', { name, exact: true }).getAttribute('href');
    expect((await page.request.get(`${site.url}${href}`)).status()).toBe(200);
  }
});

test('from an event to those of its city, its organizer and its series', async ({ page, site }) => {
  await page.goto(`${site.url}/events/robot-sumo-cardboard-league`);
  for (const path of ['/in/ghent', '/by/cardboard-league', '/series/cardboard-league']) {
    await page.locator(`main a[href="${path}"]`).first().click();
    await expect(page).toHaveURL(site.url + path);
    await page.getByRole('link', { name: 'Robot Sumo, Cardboard League' }).first().click();
    await expect(page).toHaveURL(`${site.url}/events/robot-sumo-cardboard-league`);
  }
});

test('typing filters the list: the URL follows, and the old list stays until the new one has loaded', async ({
  page,
  site,
}) => {
  const respond = await delayRequests(page, '**/api/v1/events?*');
  await page.goto(site.url);
  const before = await listNames(page);
  await page.getByLabel('Search events').pressSequentially('telescope');
  await expect(page).toHaveURL(`${site.url}/?q=telescope`);
  await expect(page.locator('.directory')).toHaveAttribute('aria-busy', 'true');
  expect(await listNames(page)).toEqual(before);
  await expect(page.locator('.directory-counts')).not.toContainText('event');
  respond();
  await expect(page.locator('.poster-name')).toHaveText(['Overnight at the Observatory']);
  await expect(page.getByRole('status').first()).toContainText('1 event');
  await page.getByLabel('Search events').clear();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect.poll(() => listNames(page)).toEqual(before);
});

test('a URL with filters shows the same list to every visitor', async ({ page, site, browser }) => {
  await page.goto(site.url);
  await chip(page, 'In person').click();
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('Show').selectOption('Coming up');
  const loading = Promise.all([
    page.waitForResponse(/api.*q=build/),
    page.waitForResponse(/search-notes.*q=build/),
  ]);
  await page.getByLabel('Search events').fill('build');
  await expect(page).toHaveURL(`${site.url}/?status=upcoming&format=in-person&q=build`);
  await loading;
  await expect(page.locator('.directory')).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^Coming up/]);
  const names = await listNames(page);
  expect(names.length).toBeGreaterThan(0);
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const problems = await watchContext(context);
    const other = await context.newPage();
    await other.goto(page.url());
    expect(await listNames(other)).toEqual(names);
    await expect(other.getByLabel('Search events')).toHaveValue('build');
    await expect(chip(other, 'Coming up')).toHaveAttribute('aria-current', 'true');
    await expect(chip(other, 'In person')).toHaveAttribute('aria-current', 'true');
    await expect(chip(other, 'Online')).not.toHaveAttribute('aria-current');
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('going back from an event restores the list with its filters', async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByLabel('Search events').fill('robot');
  await expect(page).toHaveURL(`${site.url}/?q=robot`);
  await expect(page.getByRole('status').first()).toContainText('event');
  const names = await listNames(page);
  await page.locator('.poster-name a').first().click();
  await expect(page).toHaveURL(/\/events\//);
  const eventUrl = page.url();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/?q=robot`);
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
  await expect.poll(() => listNames(page)).toEqual(names);
  await page.reload();
  await expect.poll(() => listNames(page)).toEqual(names);
  await page.goForward();
  await expect(page).toHaveURL(eventUrl);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '');
});

test('chips turn filters on and off, and Back undoes each of them', async ({ page, site }) => {
  await page.goto(site.url);
  await chip(page, 'Online').click();
  await expect(page).toHaveURL(`${site.url}/?format=online`);
  await chip(page, 'Games').click();
  await chip(page, 'CAD').click();
  await expect(page).toHaveURL(`${site.url}/?format=online&projectType=CAD,Gamedev`);
  await expect(chip(page, 'Games')).toHaveAttribute('aria-current', 'true');
  await expect(counts(page)).toContainText('event');
  await chip(page, 'CAD').click();
  await expect(page).toHaveURL(`${site.url}/?format=online&projectType=Gamedev`);
  const games = `${site.url}/api/v1/events?format=online,both&projectType=Gamedev`;
  const found = (await (await page.request.get(games)).json()).data;
  await expect.poll(async () => (await listNames(page)).length).toBe(found.length);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/?format=online&projectType=CAD,Gamedev`);
  await expect.poll(async () => (await listNames(page)).length).toBeGreaterThan(found.length);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/?format=online`);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(counts(page)).not.toContainText('event');
});

test('a chip offers what costs little', async ({ page, site }) => {
  await page.goto(site.url);
  await chip(page, 'Under €10').click();
  await expect(page).toHaveURL(`${site.url}/?maxPrice=10EUR`);
  await expect(chip(page, 'Under €10')).toHaveAttribute('aria-current', 'true');
  const found = await page.request.get(`${site.url}/api/v1/events?maxPrice=10EUR`);
  const { data } = await found.json();
  await expect.poll(async () => (await listNames(page)).length).toBe(data.length);
  await chip(page, 'Under €10').click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('a search and a filter from before hydration are applied after it', async ({ page, site }) => {
  const release = await delayScripts(page);
  await page.goto(site.url, { waitUntil: 'domcontentloaded' });
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('Show').selectOption('Coming up');
  await page.getByLabel('Search events').pressSequentially('robot');
  await expect(page).toHaveURL(`${site.url}/`);
  release();
  await expect(page).toHaveURL(`${site.url}/?status=upcoming&q=robot`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^Coming up/]);
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
});

test('from month to month by keyboard, with the filters that are on', async ({ page, site }) => {
  await page.goto(`${site.url}/calendar?format=online`);
  await page.locator('a[rel="next"]').press('Enter');
  await expect(page).toHaveURL(`${site.url}/calendar?format=online&month=${nextMonth}`);
  await page.locator('a[rel="prev"]').press('Enter');
  await expect(page).toHaveURL(`${site.url}/calendar?format=online`);
  await chip(page, 'Online').press('Enter');
  await expect(page).toHaveURL(`${site.url}/calendar`);
});

test('a subscription is chosen and its link copied', async ({ page, site, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${site.url}/subscribe`);
  await page.getByLabel('Where').selectOption('Online');
  await page.getByLabel('With these words').fill('jam');
  await page.getByRole('button', { name: 'Update links' }).click();
  const address = page.getByLabel('Calendar link', { exact: true });
  await expect(address).toHaveValue(/\/calendar\.ics\?format=online,both&q=jam$/);
  await page.getByRole('button', { name: 'Copy the Calendar link' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await address.inputValue());
  const preview = page.frameLocator('iframe');
  await expect(preview.getByRole('heading', { level: 2 }).first()).toBeVisible();
});

test('on a phone a dot of the map opens its events over the map', async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${site.url}/map?area=BE`);
  const city = page.locator('#in-ghent');
  await page.locator('.map-mark[href="#in-ghent"]').press('Enter');
  await expect(city).toHaveCSS('position', 'fixed');
  await expect(city.getByRole('link', { name: 'Robot Sumo, Cardboard League' })).toBeInViewport();
  await expectAccessible(page);
  await city.getByRole('link', { name: 'Close' }).click();
  await expect(city).toHaveCSS('position', 'static');
  await page.getByRole('link', { name: 'Show past events, too' }).click();
  await expect(page).toHaveURL(`${site.url}/map?area=BE&past=true`);
});

test.describe('a missing page', () => {
  test.use({ allowed: /status of 404/ });

  test('a missing page says so, and links to the directory', async ({ page, site }) => {
    for (const path of ['/nothing-here', '/events/nobody']) {
      const response = await page.goto(site.url + path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.getByRole('link', { name: /all events/ }).click();
      await expect(page).toHaveURL(`${site.url}/`);
    }
  });
});
