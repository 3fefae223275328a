import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { toEndDay } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { edgeCaseRecords } from '../../support/airtable/edge-case-records.ts';
import { chromiumArguments, findHeadlessChromium } from '../../support/clients/chromium.ts';
import { send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
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
} from '../../support/responses/read-representations.ts';
import { toDay } from '../../support/servers/marquee-server.ts';
import { runServerForTests, shareServer } from '../../support/servers/running-server.ts';
import { skipWithout } from '../../support/servers/skip-without.ts';

/** Every representation of an event says the same. */

let browser: Browser;
let page: Page;

const isBrowserInstalled = skipWithout('headless-chromium');

beforeAll(async () => {
  if (!isBrowserInstalled) return;
  browser = await chromium.launch({
    executablePath: findHeadlessChromium(),
    args: chromiumArguments,
    chromiumSandbox: false,
  });
  page = await browser.newPage();
});

afterAll(() => browser?.close());

const today = toDay(Date.now());
const edgeCases = edgeCaseRecords({ today });

describe.each([
  ['the sample table', sampleRecords({ today }), shareServer],
  ['a table of edge cases', edgeCases, () => runServerForTests({ records: edgeCases })],
] as const)('%s', (_, records, openServer) => {
  const server = openServer();

  async function read(path: string, accept = '*/*'): Promise<string> {
    const response = await send(server, path, { headers: { accept } });
    expect(response.status, path).toBe(200);
    return response.text;
  }

  // Compares every fact in the representation; `toName` converts a name as it writes it.
  function expectSameEvents(found: readonly ReadEvent[], toName = toPlainName): void {
    for (const event of found) {
      const truth = server.events.find(({ id, slug }) => event.id === id || event.slug === slug);
      if (truth === undefined) throw new Error(`No event ${JSON.stringify(event)}`);
      const { name, text: _text, announcedAt, ...facts } = event;
      expect(toPlainName(name)).toBe(toName(truth.name) || truth.slug);
      expect({ ...truth, ...facts }).toEqual(truth);
      if (announcedAt !== undefined) {
        expect(toSeconds(announcedAt)).toBe(toSeconds(truth.announcedAt));
      }
    }
  }

  test('JSON has the values of the valid cells in the table', () => {
    expect(server.events.length).toBeGreaterThan(40);
    for (const event of server.events) {
      const record = records.find(({ id }) => id === event.id);
      const { Name, 'Start Date': start, 'End Date': end } = record?.fields ?? {};
      if (typeof Name === 'string') expect(toVisible(event.name)).toBe(toVisible(Name));
      // The day of a cell with a time depends on the time zone.
      if (typeof start === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(start)) {
        expect(event.startDate).toBe(start);
      }
      if (end === undefined) expect(event.endDate).toBeNull();
      expect(event.status).toBe(toExpectedStatus(event));
    }
  });

  test('RSS', async () => {
    const items = await readRss(await read('/api/v1/events/rss?limit=100'));
    expect(items.map(({ id }) => id)).toEqual(await latestIds(100));
    expectSameEvents(items);
    for (const { id, text = '' } of items) {
      const event = server.events.find((event) => event.id === id);
      const end = event?.endDate;
      const [firstLine = ''] = text.split('\n');
      expect(firstLine).toContain(end ? toWords(end) : 'open-ended');
      expect(firstLine).toContain(String(Number(event?.startDate.slice(8))));
    }
  });

  test('JSON Feed', async () => {
    const items = readJsonFeed(await read('/api/v1/events/feed.json?limit=100'));
    expect(items.map(({ id }) => id)).toEqual(await latestIds(100));
    expectSameEvents(items);
  });

  test('iCalendar', async () => {
    const found = readCalendar(await read('/api/v1/events/calendar.ics'));
    expect(found.map(({ id }) => id)).toEqual(server.events.map(({ id }) => id));
    expectSameEvents(found);
  });

  test('the directory in Markdown', async () => {
    const rows = readDirectoryMarkdown(await read('/index.md'));
    expect(rows.length).toBeGreaterThan(30);
    expectSameEvents(
      rows.map(restoreShortenedName(server.events)).map(restoreEndDate(server.events)),
    );
  });

  test('every event in Markdown', async () => {
    for (const { slug, id } of server.events) {
      const found = readEventMarkdown(await read(`/events/${slug}.md`));
      expect(found.id).toBe(id);
      expectSameEvents([found]);
    }
  });

  test('llms.txt', async () => {
    const found = readLlmsTxt(await read('/llms.txt'));
    expect(found.length).toBeGreaterThan(30);
    expectSameEvents(found.map(restoreShortenedName(server.events)), (name) =>
      toPlainName(name.replace(/[[\]]/g, ' ')),
    );
  });

  test('the directory in HTML', async () => {
    const articles = await readDirectoryHtml(page, await read('/', 'text/html'));
    expect(new Set(articles.map(({ slug }) => slug)).size).toBe(articles.length);
    expect(articles.length).toBeGreaterThan(20);
    expectSameEvents(articles);
  });

  test('the pages of the directory in HTML: every event once', async () => {
    const found: ReadEvent[] = [];
    for (const status of ['ongoing', 'upcoming', 'ended']) {
      const count = server.events.filter((event) => event.status === status).length;
      for (let number = 1; number <= Math.ceil(count / 60); number++) {
        const html = await read(`/?status=${status}&page=${number}`, 'text/html');
        found.push(...(await readDirectoryHtml(page, html)));
      }
    }
    expect(found.map(({ slug }) => slug).sort()).toEqual(
      server.events.map(({ slug }) => slug).sort(),
    );
    expectSameEvents(found);
  });

  // ASVS 1.3.1
  test('every event in HTML, without harmful elements', async () => {
    for (const { slug, id } of server.events) {
      const found = await readEventHtml(page, await read(`/events/${slug}`, 'text/html'));
      const { harmful, ...event } = found;
      expect(event.id).toBe(id);
      expect(harmful, slug).toEqual([]);
      expectSameEvents([event]);
    }
  });

  async function latestIds(limit: number): Promise<string[]> {
    const path = `/api/v1/events?sort=announcedAt&order=desc&limit=${limit}`;
    return readEventList(await send(server, path)).data.map(({ id }) => id);
  }
});

// XML and Markdown allow different invisible characters.
function toPlainName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

// Bidirectional controls and zero-width characters are removed from every name.
function toVisible(name: string): string {
  return toPlainName(name.replace(/[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g, ''));
}

// Representations of many events shorten long names: the rest has to be a prefix of the name.
function restoreShortenedName(events: readonly MarqueeEvent[]) {
  return (event: ReadEvent): ReadEvent => {
    if (!event.name.endsWith('…')) return event;
    const truth = events.find(({ id, slug }) => event.id === id || event.slug === slug);
    const fullName = truth?.name ?? '';
    return toPlainName(fullName).startsWith(event.name.slice(0, -1))
      ? { ...event, name: fullName }
      : event;
  };
}

// Tables have the day of the last hour, which may be after midnight.
function restoreEndDate(events: readonly MarqueeEvent[]) {
  return (row: ReadEvent): ReadEvent => {
    const truth = events.find(({ id }) => row.id === id);
    const isRight = truth !== undefined && row.endDate === toEndDay(truth);
    return { ...row, endDate: isRight ? truth.endDate : 'another day' };
  };
}

function toExpectedStatus({ startDate, endDate, startsAt, endsAt }: MarqueeEvent): string {
  const now = Date.now();
  const today = toDay(now);
  if (startsAt === null ? today < startDate : now < Date.parse(startsAt)) return 'upcoming';
  if (endsAt !== null) return now < Date.parse(endsAt) ? 'ongoing' : 'ended';
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
