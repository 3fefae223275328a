import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import ICAL from 'ical.js';
import { addDays } from '#lib/events/model/dates.ts';
import { findConfirmation } from '../../../browser/mail.ts';
import { expectAccessible } from '../../../browser/page-measures.ts';
import { delayScripts, test, waitForHydration } from '../../../browser/site-test.ts';
import { toDay } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

const today = toDay(Date.now());
const inDays = (days: number) => addDays(today, days);

const jam = makeRecord(
  { Name: 'Lantern Jam', 'Start Date': inDays(3), 'End Date': inDays(4), Format: 'Online' },
  1,
);
const fair = makeRecord({ Name: 'Zine Fair', 'Start Date': inDays(9), 'End Date': inDays(9) }, 2);
const past = makeRecord({ Name: 'Old Jam', 'Start Date': inDays(-9), 'End Date': inDays(-8) }, 3);

const records = [jam, fair, past];

test.beforeEach(({ changing }) => changing.showEvents(records));

const saveJam = (page: Page) => page.getByRole('button', { name: 'Save Lantern Jam' }).click();
const saveOnPage = async (page: Page, { url }: Readonly<{ url: string }>) => {
  await page.goto(`${url}/events/lantern-jam`);
  await saveJam(page);
};

test('the list has a calendar file with its events alone', async ({ page, changing }) => {
  await saveOnPage(page, changing);
  await page.goto(`${changing.url}/saved`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Calendar file' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const names = ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((entry) => new ICAL.Event(entry).summary);
  expect(names).toEqual(['Lantern Jam']);
});

test('a link opens the list in another browser, which saves it', async ({
  page,
  browser,
  context,
  changing,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await saveOnPage(page, changing);
  await page.goto(`${changing.url}/saved`);
  const subscription = page.getByRole('link', { name: 'Subscribe in a calendar' });
  await expect(subscription).toHaveAttribute('href', /^webcal:.*calendar\.ics\?id=\w+$/);
  await page.getByRole('button', { name: 'Copy link to this list' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${changing.url}/saved?id=${jam.id}`);
  await using other = await browser.newContext();
  const elsewhere = await other.newPage();
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole('heading', { name: 'Lantern Jam' })).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.getByRole('button', { name: 'Save it here' }).click();
  await expect(elsewhere.getByText('All of them are in your list.')).toBeVisible();
  await elsewhere.goto(`${changing.url}/saved`);
  await expect(elsewhere.getByRole('heading', { name: 'Lantern Jam' })).toBeVisible();
});

test('the list has reminders, in a calendar and by an email that its reader confirms', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/events/soapbox-derby-for-robots`);
  await page.getByRole('button', { name: 'Save Soapbox Derby for Robots' }).click();
  await page.goto(`${site.url}/saved`);
  const calendar = page.getByRole('link', { name: 'Calendar with alarms' });
  const href = (await calendar.getAttribute('href')) ?? '';
  const file = await page.request.get(href.replace(/^webcal:/, 'http:'));
  expect(await file.text()).toContain('BEGIN:VALARM');
  await expectAccessible(page);
  await page.getByLabel('Your email address').fill('saver@mail.example');
  await page.getByRole('button', { name: 'Send me an email to confirm' }).click();
  await expect(page).toHaveURL(`${site.url}/subscribe/mail/sent`);
  await page.goto(await findConfirmation(page, site, 'saver@mail.example'));
  await expect(page.getByRole('link', { name: 'Soapbox Derby for Robots' })).toBeVisible();
  await page.getByRole('button', { name: 'Yes, send me these emails' }).click();
  await expect(page.getByText('Done: your address is confirmed.')).toBeVisible();
  await page.getByRole('button', { name: 'Use My list of this browser (1 event)' }).click();
  await expect(page.getByText('Done: your choices are saved.')).toBeVisible();
  await expectAccessible(page);
});

test('what changed is marked until the visitor has seen it, and what is gone stays by its name', async ({
  page,
  changing,
}) => {
  await page.goto(changing.url);
  await saveJam(page);
  await page.getByRole('button', { name: 'Save Zine Fair' }).click();
  const moved = { ...jam.fields, 'Start Date': inDays(5), 'End Date': inDays(6) };
  changing.changeTable([{ ...jam, fields: moved }, past]);
  await expect
    .poll(async () => (await page.request.get(`${changing.url}/events/zine-fair.ics`)).status())
    .toBe(410);
  await page.goto(`${changing.url}/saved`);
  const gone = page.getByRole('region', { name: 'No longer listed' });
  await expect(gone).toContainText('Zine Fair');
  await expect(page.getByText('Lantern Jam changed since you saved it.')).toBeVisible();
  await expect(page.getByText('New dates:')).toBeVisible();
  await expectAccessible(page);
  await gone.getByRole('button', { name: 'Remove Zine Fair' }).click();
  await expect(gone).toHaveCount(0);
  await page.goto(`${changing.url}/events/lantern-jam`);
  await page.getByRole('button', { name: 'Got it' }).click();
  await expect(page.getByText('New dates:')).toHaveCount(0);
  await page.goto(`${changing.url}/saved`);
  await expect(page.getByRole('heading', { name: 'Lantern Jam' })).toBeVisible();
  await expect(page.getByText('New dates:')).toHaveCount(0);
});

test('before the scripts have loaded, only an empty list is called empty', async ({
  page,
  changing,
}) => {
  await page.goto(changing.url);
  await saveJam(page);
  const list = page.locator('.before-hydration');
  for (const [stored, shown] of [
    ['', /^Nothing saved yet/],
    ['[]', /^Nothing saved yet/],
    [await page.evaluate(() => localStorage.getItem('saved-events') ?? ''), /^Loading…$/],
  ] as const) {
    await page.evaluate((text) => {
      if (text === '') localStorage.removeItem('saved-events');
      else localStorage.setItem('saved-events', text);
    }, stored);
    const release = await delayScripts(page);
    await page.goto(`${changing.url}/saved`, { waitUntil: 'domcontentloaded' });
    await expect(list).toHaveText(shown, { useInnerText: true });
    release();
    await expect(list).toHaveCount(0);
  }
  await expect(page.getByRole('heading', { name: 'Lantern Jam' })).toBeVisible();
});

test('a list that is no list counts as empty', async ({ page, changing }) => {
  await page.goto(`${changing.url}/saved`);
  for (const text of ['[{', '{"id":1}', '[{"id":"../x"}]']) {
    await page.evaluate((value) => localStorage.setItem('saved-events', value), text);
    await page.reload();
    await expect(page.getByText('Nothing saved yet.')).toBeVisible();
  }
});

test('where storage is disabled, the page says so and goes on', async ({ page, changing }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await saveOnPage(page, changing);
  await expect(page.locator('.announcement')).toHaveText('Your browser did not allow saving');
  await page.goto(`${changing.url}/saved`);
  await waitForHydration(page);
  await expect(page.getByText('Nothing saved yet.')).toBeVisible();
});

test.describe('while the table cannot be read', () => {
  test.use({ allowed: /status of 502/ });

  test('the list says so, keeps what was saved, and tries again', async ({ page, changing }) => {
    await saveOnPage(page, changing);
    await changing.breakTable();
    await page.goto(`${changing.url}/saved`);
    const alert = page.getByRole('alert').filter({ hasText: 'They are still saved.' });
    await expect(alert).toBeVisible();
    changing.repairTable();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Lantern Jam' })).toBeVisible();
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('saving is not offered', async ({ page, changing }) => {
    for (const path of ['/', '/events/lantern-jam']) {
      await page.goto(changing.url + path);
      await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'My list' })).toHaveCount(0);
    }
    await page.goto(`${changing.url}/saved`);
    await expect(page.getByText('which is turned off in your browser.')).toBeVisible();
  });
});
