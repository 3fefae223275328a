import fc from 'fast-check';
import type { Root } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type DirectoryView, toDirectoryView } from '#lib/events/view/directory/directory-view.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toDirectoryMarkdown } from '#lib/representations/markdown/pages/directory.ts';
import {
  toNotFoundMarkdown,
  toUnavailableMarkdown,
} from '#lib/representations/markdown/pages/errors.ts';
import { toEventMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { makeEvent, makeEvents } from '../../../../support/factories/event-factory.ts';
import { hostileEvent, hostileText } from '../../../../support/factories/hostile-text.ts';
import { listNodes, parseMarkdown } from '../../../../support/responses/markdown-tree.ts';
import { testSite as site } from '../../../../support/test-site.ts';

const options = { site, changedAtMs: Date.parse('2026-11-20T08:05:09.000Z') };

test('an event’s page has its facts, then its description below the page’s headings', () => {
  const text = toEventMarkdown(makeEvent({ description: '# Why\n\nBecause *light*.' }), { site });
  expect(text).toBe(`# Lantern Jam

[Page](https://events.example/events/lantern-jam) · [Markdown](https://events.example/events/lantern-jam.md) · [JSON](https://events.example/api/v1/events/recV7kQ2mXw4Tn9Lb) · [RSS of all events](https://events.example/api/v1/events/rss) · [Calendar](https://events.example/events/lantern-jam.ics) · Index: [/llms.txt](https://events.example/llms.txt)

| Field | Value |
| - | - |
| Status | upcoming |
| Dates | 12–14 Dec 2026 |
| Start date | 2026-12-12 |
| End date | 2026-12-14 |
| Format | In person and online |
| In person | 13–14 Dec 2026 |
| Place | Lisbon, Portugal |
| Project types | Electronics, CAD |
| Website | [https://lantern.example/](https://lantern.example/) |
| Slack | [#lantern-jam](https://chat.example/lantern-jam) |
| Announced | 2026-11-02T09:30:00.000Z |
| Id | \`recV7kQ2mXw4Tn9Lb\` |
| Slug | \`lantern-jam\` |

## About

### Why

Because *light*.

## Requirements

A soldering iron.
`);
});

test('a row of the directory has the state, and the days at the place', () => {
  const events = [makeEvent({ state: 'postponed', pinned: true })];
  const [row = []] = readRows(parse(toDirectoryMarkdown(hang(events), options)));
  expect(row[4]).toBe('upcoming, postponed, pinned');
  expect(row[6]).toBe('Lisbon, Portugal (13–14 Dec 2026)');
});

test('a row says what it takes to come, and its last hour may be on the next day', () => {
  const night = {
    startDate: '2027-01-09',
    endDate: '2027-01-09',
    startTime: '21:00',
    endTime: '01:00',
  };
  const events = [makeEvent({ ...night, price: '€12', audience: '16+', placesLeft: 3 })];
  const [row = []] = readRows(parse(toDirectoryMarkdown(hang(events), options)));
  expect(row.slice(2, 4)).toEqual(['2027-01-09 21:00', '2027-01-10 01:00']);
  expect(row[7]).toBe('€12, Age 16+, 3 places left');
});

test('a very long description is cut, says so and links to the full text', () => {
  const description = 'A sentence with *a little* markup in it.\n\n'.repeat(3_000);
  const text = toEventMarkdown(makeEvent({ description }), { site });
  expect(text.length).toBeLessThan(50_000);
  expect(text).toContain('This text was shortened');
  expect(text).toContain('## Requirements');
});

test('the directory shows its sections in order, each as a table', () => {
  const tree = parse(
    toDirectoryMarkdown(
      hang([
        makeEvent({ id: 'recGone', name: 'Gone', status: 'ended' }),
        makeEvent({ id: 'recStays', name: 'Stays', status: 'ongoing', endDate: null }),
        makeEvent({ id: 'recComes', name: 'Comes' }),
        makeEvent({ id: 'recRuns', name: 'Runs', status: 'ongoing', pinned: true }),
      ]),
      options,
    ),
  );
  const titles = tree.children
    .filter((node) => node.type === 'heading')
    .map((node) => toNodeText(node));
  expect(titles).toEqual(['Marquee', 'On now', 'Coming up', 'Open-ended', 'Past']);
  expect(readRows(tree).map((row) => [row[0], row[2], row[3], row[4], row[8]])).toEqual([
    ['Runs', '2026-12-12', '2026-12-14', 'ongoing, pinned', 'recRuns'],
    ['Comes', '2026-12-12', '2026-12-14', 'upcoming', 'recComes'],
    ['Stays', '2026-12-12', 'open-ended', 'ongoing', 'recStays'],
    ['Gone', '2026-12-12', '2026-12-14', 'ended', 'recGone'],
  ]);
});

test('links to lists, feeds and calendars also mean events that are both', () => {
  const text = toDirectoryMarkdown(hang([]), { ...options, filters: { format: ['online'] } });
  expect(text).toContain('(https://events.example/index.md?format=online)');
  for (const path of ['events', 'events/rss', 'events/calendar.ics']) {
    expect(text).toContain(`(https://events.example/api/v1/${path}?format=online,both)`);
  }
});

test('10,000 events give a page below 50,000 characters that links to the rest', () => {
  const text = toDirectoryMarkdown(hang(makeEvents(10_000)), options);
  expect(text.length).toBeLessThan(50_000);
  expect(text).toMatch(
    /## Past\n[^#]*\d+ of 3,333 are in this table[^#]*\/index\.md\?status=ended\)[^#]*\/api\/v1\/events\?status=ended\)/,
  );
  const sections = text.split('\n## ').slice(1);
  for (const section of sections)
    expect(section.match(/\/events\/event-number-/g)?.length).toBeGreaterThan(7);
});

test('a long list of one status has pages, and their links have the active filters', () => {
  const ended = makeEvents(200).map((event) => ({ ...event, status: 'ended' as const }));
  const wall = toDirectoryView(ended, {
    filters: { status: ['ended'] },
    page: 2,
    periodStart: null,
  });
  const text = toDirectoryMarkdown(wall, { ...options, filters: { status: ['ended'], q: 'jam' } });
  expect(readRows(parse(text)).map((row) => row[8])).toEqual(
    wall.sections.flatMap(({ events }) => events.map(({ id }) => id)),
  );
  const at = 'https://events.example/index.md?status=ended&q=jam';
  expect(text).toContain(`Page 2 of 4. [Previous](${at}) [Next](${at}&page=3)`);
  expect(text).toContain(`[Markdown](${at}&page=2)`);
  // JSON and feeds have no pages.
  expect(text).toContain('/api/v1/events?status=ended&q=jam)');
  expect(text).toContain('/api/v1/events/calendar.ics?status=ended&q=jam)');
  expect(text).not.toContain('## On now');
  expect(text).not.toContain('in this table');
});

test('names that need the most escaping stay within the bound', () => {
  const events = makeEvents(500).map((event) => ({ ...event, name: '*_`<'.repeat(60) }));
  expect(toDirectoryMarkdown(hang(events), options).length).toBeLessThan(50_000);
});

test('every page names llms.txt in its first lines', () => {
  const pages = [
    toDirectoryMarkdown(hang([makeEvent()]), options),
    toEventMarkdown(makeEvent(), { site }),
    toNotFoundMarkdown({ site, path: '/x' }),
    toUnavailableMarkdown({ site }),
  ];
  for (const page of pages) {
    expect(page.split('\n').slice(0, 4).join('\n')).toContain('(https://events.example/llms.txt)');
  }
});

test('no text of an event gives raw HTML, a second title or a link that is not to the web', () => {
  fc.assert(
    fc.property(hostileEvent, (event) => {
      const tree = parse(toEventMarkdown(event, { site }));
      expectSafe(tree, toEventTitle(event));
      expect(readFacts(tree)['Start date']).toBe(event.startDate);
      expect(readFacts(tree).Status).toBe(event.status);
    }),
    { numRuns: 250 },
  );
});

test('no event breaks a row of the directory', () => {
  fc.assert(
    fc.property(fc.array(hostileEvent, { maxLength: 4 }), (events) => {
      const tree = parse(toDirectoryMarkdown(hang(events), options));
      expectSafe(tree, 'Marquee');
      const rows = readRows(tree);
      expect(rows.map((row) => row.length)).toEqual(events.map(() => 9));
      expect(rows.map((row) => row[2]).sort()).toEqual(
        events.map((event) => event.startDate).sort(),
      );
    }),
    { numRuns: 150 },
  );
});

test('no URL breaks the "not found" page', () => {
  fc.assert(
    fc.property(hostileText, (path) => {
      expectSafe(parse(toNotFoundMarkdown({ site, path })), 'Page not found');
    }),
    { numRuns: 150 },
  );
});

function hang(events: readonly MarqueeEvent[]): DirectoryView {
  return toDirectoryView(events, { filters: {}, page: 1, periodStart: null });
}

function parse(markdown: string): Root {
  expect(markdown).not.toContain('\r');
  expect(markdown.isWellFormed()).toBe(true);
  return parseMarkdown(markdown);
}

function expectSafe(tree: Root, title: string): void {
  const all = listNodes(tree);
  expect(all.filter((node) => node.type === 'html' || node.type === 'image')).toEqual([]);
  const titles = all.filter((node) => node.type === 'heading' && node.depth === 1);
  expect(titles.map((node) => toNodeText(node))).toEqual([title]);
  for (const node of all) {
    if (node.type === 'link') expect(node.url).toMatch(/^(?:https?:\/\/|mailto:)/);
  }
}

function readFacts(tree: Root): Record<string, string> {
  const table = tree.children.find((node) => node.type === 'table');
  const rows = table?.children.map((row) => row.children.map((cell) => toNodeText(cell))) ?? [];
  return Object.fromEntries(rows);
}

function readRows(tree: Root): string[][] {
  const tables = tree.children.filter((node) => node.type === 'table');
  const rows = tables.flatMap((table) => table.children.slice(1));
  return rows.map((row) => row.children.map((cell) => toNodeText(cell)));
}
