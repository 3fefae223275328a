import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import ICAL from 'ical.js';
import { delayRequests, test, watchContext } from '../site-test.ts';
import { chip, listNames } from './directory-parts.ts';

const oneFound = 'Overnight at the Observatory';

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
  await expect(page.locator('.poster-name')).toHaveText([oneFound]);
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
  const loading = page.waitForResponse(/api.*q=build/);
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

test('an event is added to a calendar, as a file and at Google', async ({ page, site }) => {
  await page.goto(`${site.url}/events/night-train-hackathon`);
  const downloading = page.waitForEvent('download');
  await page.getByText('Add to calendar').click();
  await page.getByRole('link', { name: 'Apple, Outlook and others' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  const calendar = ICAL.Component.fromString(await readFile(await download.path(), 'utf8'));
  const [entry, ...others] = calendar.getAllSubcomponents('vevent');
  expect(others).toEqual([]);
  const { summary, startDate, endDate } = new ICAL.Event(entry);
  expect(summary).toBe('Night Train Hackathon');
  const dates = page.getByRole('region', { name: 'When and where' });
  const starts = await dates.locator('time').first().getAttribute('datetime');
  // At 21:40 in Zurich.
  expect(startDate.toString()).toBe(`${starts}T20:40:00Z`);

  const link = page.getByRole('link', { name: 'Google Calendar' });
  const google = new URL((await link.getAttribute('href')) ?? '');
  expect(google.origin + google.pathname).toBe('https://calendar.google.com/calendar/render');
  const digits = [startDate, endDate].map((time) => time.toString().replaceAll(/[-:]/g, ''));
  expect(Object.fromEntries(google.searchParams)).toMatchObject({
    action: 'TEMPLATE',
    text: 'Night Train Hackathon',
    dates: digits.join('/'),
    location: expect.stringContaining('Platform 4, Zürich'),
    details: expect.stringContaining('/events/night-train-hackathon'),
  });
});

test('an event is shared with the device’s dialog, or its link is copied', async ({
  page,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const share = page.getByRole('button', { name: 'Share' });
  await page.goto(`${site.url}/events/little-languages?from=a-friend`);
  await page.evaluate(() => Object.assign(navigator, { share: undefined }));
  await share.click();
  await expect(page.locator('.announcement')).toHaveText('Copied');
  expect(await readClipboard(page)).toBe(`${site.url}/events/little-languages`);
  await page.evaluate(() => {
    const play = async (data: ShareData) => {
      document.body.dataset.shared = JSON.stringify(data);
    };
    Object.assign(navigator, { share: play });
  });
  await share.click();
  const shared = (await page.locator('body').getAttribute('data-shared')) ?? '';
  expect(JSON.parse(shared)).toEqual({
    title: expect.stringContaining('Little Languages'),
    url: `${site.url}/events/little-languages`,
  });
});

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
