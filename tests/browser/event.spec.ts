import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import ICAL from 'ical.js';
import { expectAccessible } from './page-measures.ts';
import { test } from './site-test.ts';

/** One event: read, added to a calendar, shared and saved. */

test('an event shows its facts and its rendered Markdown', async ({ page, site }) => {
  await page.goto(`${site.url}/events/robot-sumo-cardboard-league`);
  const ticket = page.getByRole('region', { name: 'When, where and how to join' });
  await expect(ticket).toContainText('Online now, in person later');
  await expect(ticket.getByRole('heading', { level: 2 })).toHaveText([
    'Online',
    'In person',
    'Where',
    'Organizer',
    'Price, ages, places',
  ]);
  await expect(ticket).toContainText('Market Hall No. 3, Ghent');
  await expect(ticket.getByRole('link', { name: 'Join' })).toHaveAttribute(
    'href',
    'https://cardboard-sumo.example/',
  );
  const text = page.locator('.event-text').first();
  await expect(text.locator('strong')).toHaveText('one-litre bottle of water');
  await expect(text.getByRole('link')).toHaveAttribute(
    'href',
    'https://cardboard-sumo.example/kit',
  );
  await expect(page.getByRole('heading', { name: 'What you need' })).toBeVisible();
  await expect(page.locator('ol > li')).toHaveCount(3);
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

test('an event is saved on its card and on its page, in every tab, and is found again', async ({
  page,
  context,
  site,
}) => {
  const list = await context.newPage();
  await list.goto(`${site.url}/saved`);
  await expect(list.getByText('Nothing saved yet.')).toBeVisible();
  await page.goto(site.url);
  await page.getByRole('button', { name: 'Save Little Languages' }).click();
  await expect(page.getByRole('button', { name: 'Saved: remove Little Languages' })).toBeVisible();
  await page.goto(`${site.url}/events/lantern-night`);
  await page.getByRole('button', { name: 'Save Lantern Night' }).click();
  // The other tab follows.
  const ahead = list.getByRole('region', { name: 'On now and coming up' });
  await expect(ahead.getByRole('heading', { level: 3 })).toHaveText(['Little Languages']);
  await expect(list.getByRole('region', { name: 'Past' }).getByRole('link')).toHaveText([
    'Lantern Night',
  ]);
  await expectAccessible(list);
  await list.getByRole('button', { name: 'Saved: remove Little Languages' }).click();
  await expect(ahead).toHaveCount(0);
  await page.goto(site.url);
  await expect(page.getByRole('button', { name: 'Save Little Languages' })).toBeEnabled();
});

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
