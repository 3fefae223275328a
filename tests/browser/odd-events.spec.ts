import { expect, type Page } from '@playwright/test';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { edgeCaseRecords } from '#lib/demo/data/edge-case-records.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toDay,
  toTableSettings,
} from '../support/servers/marquee-server.ts';
import { makeRecord } from '../support/upstreams/upstream.ts';
import { expectAccessible, expectNoSidewaysScrolling } from './page-measures.ts';
import { sharePictures } from './share-pictures.ts';
import { test } from './site-test.ts';

/** Pages of unusual sites: without events or models, with odd events, or with very many. */

const today = toDay(Date.now());
const widths = [320, 2560] as const;

let table: AirtableServer;
let server: MarqueeServer;
let longTable: AirtableServer;
let longServer: MarqueeServer;

test.beforeAll(async () => {
  // Reading it takes a while, so it starts first.
  longTable = await startTable({ records: sampleRecords({ today, count: 10_000 }) });
  longServer = await startMarquee({ ...toTableSettings(longTable), ...sharePictures() });
  table = await startTable({ records: [] });
  server = await startMarquee({ ...toTableSettings(table), EVENTS_CACHE_SECONDS: '1' });
});

test.afterAll(async () => {
  await Promise.all([server.stop(), longServer.stop()]);
  await Promise.all([table.close(), longTable.close()]);
});

type Listed = Readonly<{ data: readonly Readonly<{ id: string; name: string }>[] }>;

/** Replaces the table, and waits until the server has loaded it. */
async function setTable(page: Page, records: Parameters<AirtableServer['setRecords']>[0]) {
  table.setRecords([]);
  const list = async (): Promise<Listed['data']> => {
    const listed: Listed = await (await page.request.get(`${server.url}/api/v1/events`)).json();
    return listed.data;
  };
  await expect.poll(async () => (await list()).length).toBe(0);
  table.setRecords(records);
  if (records.length > 0) await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
  return list();
}

async function expectToFit(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScrolling(page);
  }
}

test('no event: the page says so, and what to do', async ({ page }) => {
  await setTable(page, []);
  await expectToFit(page, '/');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['No events yet']);
  await expect(page.locator('.directory-counts')).toHaveText('');
  await expectAccessible(page);
});

test('without an upstream the playground’s Send is off, and says why', async ({ page }) => {
  await page.goto(`${server.url}/models`);
  const send = page.getByRole('button', { name: 'Send' });
  await expect(send).toBeDisabled();
  await expect(send).toHaveAccessibleDescription(/^This site has no AI models yet\./);
});

test.describe('one event', () => {
  test.use({ allowed: /status of 404/ });

  test('with nothing but a name of 300 characters', async ({ page }) => {
    const name = 'x'.repeat(300);
    const [event] = await setTable(page, [makeRecord({ Name: name, 'Start Date': today })]);
    for (const path of ['/', '/events/nobody', `/events/${event?.id}`]) {
      await expectToFit(page, path);
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expectAccessible(page);
  });
});

test('odd events fit the wall and their pages, and run no script', async ({ page }) => {
  const unbroken = makeRecord({ Name: '名'.repeat(300), 'Start Date': today });
  const events = await setTable(page, [...edgeCaseRecords({ today }), unbroken]);
  page.on('dialog', () => expect('a dialog').toBe('never opened'));
  await expectToFit(page, '/');
  await page.setViewportSize({ width: 320, height: 900 });
  // The longest events are the likeliest to overflow.
  const longest = events.toSorted((a, b) => toLength(b) - toLength(a)).slice(0, 14);
  for (const { id, name } of longest) {
    await page.goto(`${server.url}/events/${id}`, { waitUntil: 'domcontentloaded' });
    await expectNoSidewaysScrolling(page);
    await expect(page.locator('h1')).toHaveCount(1);
    const harm = page.locator('article').locator('script, iframe, [onerror], [onload]');
    await expect(harm, name).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:" i], a[href^="data:" i]')).toHaveCount(0);
  }
  for (const start of [
    'HTML in the description',
    'Scripts in Markdown',
    '<b>Bold</b> & "quoted"',
  ]) {
    const id = events.find(({ name }) => name.startsWith(start))?.id;
    await page.goto(`${server.url}/events/${id}`);
    const article = page.locator('article');
    await expect(article.locator('h1')).toContainText(start);
    const words = article.locator('h1, dl, .event-text');
    await expect(words.locator('script, iframe, img, svg, [onerror], [onload]')).toHaveCount(0);
    await expect(article.locator('script, iframe, [onerror], [onload]')).toHaveCount(0);
    await expect(article.locator('a[href^="javascript:" i], a[href^="data:" i]')).toHaveCount(0);
  }
});

function toLength(event: unknown): number {
  return JSON.stringify(event).length;
}

test('10,000 events: a page of a bounded size, and a pager for past events', async ({ page }) => {
  test.slow();
  const { url } = longServer;
  // The upstream's limit is a few hundred rows a second.
  const list = () => page.request.get(`${url}/api/v1/events?limit=1`);
  await expect.poll(async () => (await list()).status(), { timeout: 50_000 }).toBe(200);
  const response = await page.goto(url);
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
  await expect(page.locator('.directory-counts')).toContainText('match');
  await page.getByRole('link', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL(`${url}/?status=ended&format=online`);
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('Show').selectOption('On now');
  await page.getByRole('button', { name: 'Show events' }).click();
  await expect(page).toHaveURL(`${url}/?status=ongoing&format=online`);
  await page.goBack();
  await expect(page).toHaveURL(`${url}/?status=ended&format=online`);
});
