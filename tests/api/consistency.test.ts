import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { edgeCaseRecords } from '#lib/demo/data/edge-case-records.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { readEventItem, readEventList } from '../support/api-responses.ts';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { send } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toDay,
  toTableSettings,
} from '../support/marquee-server.ts';
import {
  type ReadEvent,
  readCalendar,
  readDirectoryHtml,
  readDirectoryMarkdown,
  readEventHtml,
  readEventMarkdown,
  readJsonFeed,
  readLlmsTxt,
  readRss,
} from '../support/read-representations.ts';
import { skipWithout } from '../support/skip-without.ts';

/** One form, one truth: whatever form an event is read in, it is the same event. */

let browser: Browser;
let page: Page;

const isBrowserInstalled = skipWithout('chromium');

beforeAll(async () => {
  if (!isBrowserInstalled) return;
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: chromiumArguments,
    chromiumSandbox: false,
  });
  page = await browser.newPage();
});

afterAll(() => browser?.close());

const tables: readonly (readonly [string, (today: string) => AirtableRecord[]])[] = [
  ['the sample table', (today) => sampleRecords({ today })],
  ['the odd rows', (today) => edgeCaseRecords({ today })],
];

describe.each(tables)('%s', (_, toRecords) => {
  const records = toRecords(toDay(Date.now()));
  let table: AirtableServer;
  let server: MarqueeServer;
  let events: readonly MarqueeEvent[];

  beforeAll(async () => {
    table = await startTable({ records });
    server = await startMarquee(toTableSettings(table));
    events = readEventList(await send(server, '/api/v1/events')).data;
  });

  afterAll(async () => {
    await server.stop();
    await table.close();
  });

  async function read(path: string, accept = '*/*'): Promise<string> {
    const response = await send(server, path, { headers: { accept } });
    expect(response.status, path).toBe(200);
    return response.text;
  }

  // Every fact that the form tells is compared; `names` says how a form writes a name.
  function expectTruth(found: readonly ReadEvent[], toName = toPlainName): void {
    for (const event of found) {
      const truth = events.find(({ id, slug }) => event.id === id || event.slug === slug);
      if (truth === undefined) throw new Error(`No event ${JSON.stringify(event)}`);
      const { name, text: _text, announcedAt, ...told } = event;
      expect(toPlainName(name)).toBe(toName(truth.name) || truth.slug);
      expect({ ...truth, ...told }).toEqual(truth);
      if (announcedAt !== undefined) {
        expect(toSeconds(announcedAt)).toBe(toSeconds(truth.announcedAt));
      }
    }
  }

  test('JSON tells what the sound cells of the table say', () => {
    expect(events.length).toBeGreaterThan(40);
    for (const event of events) {
      const record = records.find(({ id }) => id === event.id);
      const { Name, 'Start Date': start, 'End Date': end } = record?.fields ?? {};
      if (typeof Name === 'string') expect(toVisible(event.name)).toBe(toVisible(Name));
      if (typeof start === 'string' && /^\d{4}-\d{2}-\d{2}/.test(start)) {
        expect(event.startDate).toBe(start.slice(0, 10));
      }
      if (end === undefined) expect(event.endDate).toBeNull();
      expect(event.status).toBe(toExpectedStatus(event));
    }
  });

  test('an item is what the list says', async () => {
    for (const event of events) {
      const item = readEventItem(await send(server, `/api/v1/events/${event.id}`));
      expect(item.data).toEqual(event);
    }
  });

  test('RSS', async () => {
    const items = await readRss(await read('/api/v1/events/rss?limit=100'));
    expect(items.map(({ id }) => id)).toEqual(await latestIds(100));
    expectTruth(items);
    for (const { id, text = '' } of items) {
      const event = events.find((one) => one.id === id);
      const end = event?.endDate;
      const [firstLine = ''] = text.split('\n');
      expect(firstLine).toContain(end ? toWords(end) : 'open-ended');
      expect(firstLine).toContain(String(Number(event?.startDate.slice(8))));
    }
  });

  test('JSON Feed', async () => {
    const items = readJsonFeed(await read('/api/v1/events/feed.json?limit=100'));
    expect(items.map(({ id }) => id)).toEqual(await latestIds(100));
    expectTruth(items);
  });

  test('iCalendar', async () => {
    const found = readCalendar(await read('/api/v1/events/calendar.ics'));
    expect(found.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expectTruth(found);
  });

  test('the directory in Markdown', async () => {
    const rows = readDirectoryMarkdown(await read('/index.md'));
    expect(rows.length).toBeGreaterThan(30);
    expectTruth(rows.map(withoutCutName(events)));
  });

  test('every event in Markdown', async () => {
    for (const { slug, id } of events) {
      const found = readEventMarkdown(await read(`/events/${slug}.md`));
      expect(found.id).toBe(id);
      expectTruth([found]);
    }
  });

  test('llms.txt', async () => {
    const found = readLlmsTxt(await read('/llms.txt'));
    expect(found.length).toBeGreaterThan(30);
    expectTruth(found.map(withoutCutName(events)), (name) =>
      toPlainName(name.replace(/[[\]]/g, ' ')),
    );
  });

  test('the directory in HTML', async () => {
    const cards = await readDirectoryHtml(page, await read('/', 'text/html'));
    expect(new Set(cards.map(({ slug }) => slug)).size).toBe(cards.length);
    expect(cards.length).toBeGreaterThan(20);
    expectTruth(cards);
  });

  test('the directory in HTML, turned page by page: every event once', async () => {
    const found: ReadEvent[] = [];
    for (const status of ['ongoing', 'upcoming', 'ended']) {
      const count = events.filter((event) => event.status === status).length;
      for (let number = 1; number <= Math.ceil(count / 60); number++) {
        const html = await read(`/?status=${status}&page=${number}`, 'text/html');
        found.push(...(await readDirectoryHtml(page, html)));
      }
    }
    expect(found.map(({ slug }) => slug).sort()).toEqual(events.map(({ slug }) => slug).sort());
    expectTruth(found);
  });

  test('every event in HTML, with nothing in it that could do harm', async () => {
    for (const { slug, id } of events) {
      const found = await readEventHtml(page, await read(`/events/${slug}`, 'text/html'));
      const { harmful, ...told } = found;
      expect(told.id).toBe(id);
      expect(harmful, slug).toEqual([]);
      expectTruth([told]);
    }
  });

  async function latestIds(limit: number): Promise<string[]> {
    const path = `/api/v1/events?sort=announcedAt&order=desc&limit=${limit}`;
    return readEventList(await send(server, path)).data.map(({ id }) => id);
  }
});

// Characters that do not show differ from form to form, as XML and Markdown allow them or not.
function toPlainName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

// What turns or hides other characters is no part of a name, and is left out for good.
function toVisible(name: string): string {
  return toPlainName(name.replace(/[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g, ''));
}

// A form that shows many events cuts long names: what is left must be the front of the name.
function withoutCutName(events: readonly MarqueeEvent[]) {
  return (event: ReadEvent): ReadEvent => {
    if (!event.name.endsWith('…')) return event;
    const truth = events.find(({ id, slug }) => event.id === id || event.slug === slug);
    const whole = truth?.name ?? '';
    return toPlainName(whole).startsWith(event.name.slice(0, -1))
      ? { ...event, name: whole }
      : event;
  };
}

function toExpectedStatus({ startDate, endDate }: MarqueeEvent): string {
  const today = toDay(Date.now());
  if (today < startDate) return 'upcoming';
  return endDate === null || today <= endDate ? 'ongoing' : 'ended';
}

function toWords(date: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
    .format(new Date(date))
    .replace('Sept', 'Sep');
}

function toSeconds(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000);
}
