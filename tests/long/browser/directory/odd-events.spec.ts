import { expect, type Page } from '@playwright/test';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { expectAccessible, expectNoSidewaysScrolling } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';
import type { ChangingSite } from '../../../browser/sites/changing-site.ts';
import { sharePictures } from '../../../browser/sites/share-pictures.ts';
import { edgeCaseRecords } from '../../../support/airtable/edge-case-records.ts';
import { startSite, toDay } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

/** Pages of unusual sites: without events or models, with odd events, or with very many. */

const today = toDay(Date.now());
const widths = [320, 2560] as const;

let long: Awaited<ReturnType<typeof startSite>>;

test.beforeAll(async () => {
  // Lists of up to 1,500 are loaded in the tab. Reading them takes a while, so that starts first.
  const records = sampleRecords({ today, count: 1_600 });
  long = await startSite({ records, settings: sharePictures() });
});

test.afterAll(() => long[Symbol.asyncDispose]());

/** Opens it once it has read its table: the upstream's limit is a few hundred rows a second. */
async function openLongSite(page: Page) {
  const list = () => page.request.get(`${long.url}/api/v1/events?limit=1`);
  await expect.poll(async () => (await list()).status()).toBe(200);
  // The first one is rendered before the code is warm, for which a busy machine may take longer than a page has.
  await expect.poll(async () => (await page.request.get(long.url)).status()).toBe(200);
  return page.goto(long.url);
}

type Listed = Readonly<{ data: readonly Readonly<{ id: string; name: string }>[] }>;

async function listEvents(page: Page, { url }: ChangingSite): Promise<Listed['data']> {
  const { data }: Listed = await (await page.request.get(`${url}/api/v1/events`)).json();
  return data;
}

async function expectToFit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScrolling(page);
  }
}

test('no event: the page says so, and what to do', async ({ page, changing }) => {
  await changing.showEvents([]);
  await expectToFit(page, changing.url);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['No events yet']);
  await expect(page.locator('.directory-counts')).toHaveText('');
  await expectAccessible(page);
});

test('without an upstream the playground’s Send is off, and says why', async ({
  page,
  changing,
}) => {
  await page.goto(`${changing.url}/models`);
  const send = page.getByRole('button', { name: 'Send' });
  await expect(send).toBeDisabled();
  await expect(send).toHaveAccessibleDescription(/^This site has no AI models yet\./);
});

test.describe('one event', () => {
  test.use({ allowed: /status of 404/ });

  test('with nothing but a name of 300 characters', async ({ page, changing }) => {
    const name = 'x'.repeat(300);
    await changing.showEvents([makeRecord({ Name: name, 'Start Date': today })]);
    const [event] = await listEvents(page, changing);
    for (const path of ['/', '/events/nobody', `/events/${event?.id}`]) {
      await expectToFit(page, changing.url + path);
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expectAccessible(page);
  });
});

test('odd events fit the wall and their pages, and run no script', async ({ page, changing }) => {
  const unbroken = makeRecord({ Name: '名'.repeat(300), 'Start Date': today });
  await changing.showEvents([...edgeCaseRecords({ today }), unbroken]);
  const events = await listEvents(page, changing);
  page.on('dialog', () => expect('a dialog').toBe('never opened'));
  await expectToFit(page, changing.url);
  await page.setViewportSize({ width: 320, height: 900 });
  // The longest events are the likeliest to overflow.
  const longest = events.toSorted((a, b) => toLength(b) - toLength(a)).slice(0, 14);
  const hostile = events.filter(({ name }) => /^(?:HTML in|Scripts in|<b>)/.test(name));
  expect(hostile).toHaveLength(3);
  for (const { id } of [...longest, ...hostile]) {
    await page.goto(`${changing.url}/events/${id}`, { waitUntil: 'domcontentloaded' });
    await expectNoSidewaysScrolling(page);
  }
});

function toLength(event: unknown): number {
  return JSON.stringify(event).length;
}

test('1,600 events: a page of a bounded size, and a pager for past events', async ({ page }) => {
  const { url } = long;
  const response = await openLongSite(page);
  expect((await response?.body())?.length).toBeLessThan(1_000_000);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScrolling(page);
  }
  const past = page.getByRole('region', { name: 'Past' });
  await past.getByRole('link', { name: /^Show all/ }).click();
  await expect(page).toHaveURL(`${url}/?status=ended`);
  const names = page.locator('.event-line h3');
  const first = await names.allTextContents();
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(`${url}/?status=ended&page=2`);
  expect(await names.allTextContents()).not.toEqual(first);
  // A list of this size is not loaded in the tab: filters load the filtered page, from page 2 too.
  await page.getByLabel('Search events').fill('observatory');
  await page.getByRole('link', { name: 'Online' }).click();
  await expect(page).toHaveURL(`${url}/?status=ended&format=online&q=observatory`);
  await expect(page.locator('.directory-counts')).toContainText('event');
  await page.getByRole('link', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL(`${url}/?status=ended&format=online`);
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('Show').selectOption('On now');
  await page.getByRole('button', { name: 'Show events' }).click();
  await expect(page).toHaveURL(`${url}/?status=ongoing&format=online`);
  await page.goBack();
  await expect(page).toHaveURL(`${url}/?status=ended&format=online`);
});

test('1,600 events: what is typed filters the page, and the field keeps the focus', async ({
  page,
}) => {
  const { url } = long;
  await openLongSite(page);
  const field = page.getByLabel('Search events');
  await field.pressSequentially('observatory');
  // No key besides: a list of this size is filtered by the server.
  await expect(page).toHaveURL(`${url}/?q=observatory`);
  await expect(page.locator('.directory-counts')).toContainText('event');
  await expect(field).toHaveValue('observatory');
  await expect(field).toBeFocused();
  await field.pressSequentially(' vic');
  await expect(page).toHaveURL(`${url}/?q=observatory+vic`);
  await expect(field).toHaveValue('observatory vic');
  await field.fill('');
  await expect(page).toHaveURL(`${url}/`);
});
