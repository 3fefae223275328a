import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docsNames } from '#lib/representations/docs/page-rows.ts';
import {
  fullTextLengthMax,
  toLlmsFullTxt,
  toLlmsTxt,
} from '#lib/representations/markdown/llms-txt.ts';
import { listLinkedPages } from '#lib/site/pages/page-table.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const indexOptions = { site, pages: listLinkedPages() };

// The regular expressions of the reference parser (llmstxt.org), in JavaScript.
const linkLine = /^-\s*\[([^\]]+)\]\(([^)]+)\)(?::\s*(.*))?$/;
const start = /^# (.+)\n\n> (.+)\n\n([^#]+)\n\n## /;

test('events are in their sections: on now, coming up, optional', () => {
  const text = toLlmsTxt(
    [
      makeEvent({ name: 'Runs', status: 'ongoing' }),
      makeEvent({ name: 'Stays', status: 'ongoing', endDate: null }),
      makeEvent({ name: 'Comes' }),
      makeEvent({ name: 'Gone', status: 'ended' }),
    ],
    indexOptions,
  );
  const sections = readSections(text);
  expect(Object.keys(sections)).toEqual([
    'Pages',
    'Documentation',
    'Current events',
    'Upcoming events',
    'API and feeds',
    'Optional',
  ]);
  expect(sections['Current events']?.map(({ name }) => name)).toEqual(['Runs', 'Stays']);
  expect(sections['Upcoming events']).toEqual([
    {
      name: 'Comes',
      url: 'https://events.example/events/lantern-jam.md',
      note: '12–14 Dec 2026 · Online · In person 13–14 Dec 2026 · Lisbon, Portugal',
    },
  ]);
  expect(sections.Optional?.map(({ name }) => name)).toEqual(['Gone']);
});

test('a title, a quote of one line and prose come before the sections', () => {
  const [, title, quote] = start.exec(toLlmsTxt([makeEvent()], indexOptions)) ?? [];
  expect(title).toBe('Marquee');
  expect(quote).toMatch(/\w/);
});

test('without events there are pages and feeds, and no empty section', () => {
  expect(Object.keys(readSections(toLlmsTxt([], indexOptions)))).toEqual([
    'Pages',
    'Documentation',
    'API and feeds',
  ]);
});

test('every page and every page of the documentation is listed', () => {
  const { Pages, Documentation } = readSections(toLlmsTxt([], indexOptions));
  const toPaths = (entries: typeof Pages) =>
    entries?.map(({ url }) => url?.replace('https://events.example', ''));
  expect(toPaths(Pages)?.toSorted()).toEqual([
    '/calendar.md',
    '/changes.md',
    '/index.md',
    '/map.md',
    '/models.md',
    '/recent.md',
    '/saved.md',
    '/subscribe.md',
  ]);
  expect(toPaths(Documentation)).toEqual(docsNames.map((name) => `/docs${name && '/'}${name}.md`));
});

test('brackets are removed from names, parentheses encoded in URLs', () => {
  const text = toLlmsTxt([makeEvent({ name: '[Draft] Jam]', slug: 'jam-(2)' })], indexOptions);
  expect(text).toContain('[Draft Jam](https://events.example/events/jam-%282%29.md)');
});

test('10,000 events stay under 50,000 characters', () => {
  const long = makeEvents(10_000).map((event) => ({ ...event, name: '*_'.repeat(200) }));
  expect(toLlmsTxt(long, indexOptions).length).toBeLessThan(50_000);
});

test('no text breaks the grammar of llms.txt parsers', () => {
  fc.assert(
    fc.property(fc.array(hostileEvent, { maxLength: 4 }), (events) => {
      const text = toLlmsTxt(events, indexOptions);
      expect(text).toMatch(start);
      expect(text).not.toMatch(/[\r\ufeff\u2028\u2029]/);
      const sections = readSections(text);
      const { Pages, Documentation: _, 'API and feeds': api, ...ofEvents } = sections;
      expect(Pages).toBeDefined();
      expect(api).toBeDefined();
      expect(Object.values(ofEvents).flat()).toHaveLength(events.length);
    }),
    { numRuns: 200 },
  );
});

type Entry = { name: string | undefined; url: string | undefined; note: string | undefined };

// Fails on any line of a section that is not a link.
function readSections(text: string): Record<string, Entry[]> {
  const sections: Record<string, Entry[]> = {};
  for (const section of text.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n');
    sections[title] = lines.filter(Boolean).map((line) => {
      expect(line).toMatch(linkLine);
      const [, name, url, note] = linkLine.exec(line) ?? [];
      return { name, url, note };
    });
  }
  return sections;
}

test('it says how many events there are, and how many of them are listed', () => {
  expect(toLlmsTxt([makeEvent({ state: 'cancelled' })], indexOptions)).toContain(
    'On now: 0. Open-ended: 0. Coming up: 1. Past: 0. All are listed below.',
  );
  const many = toLlmsTxt(makeEvents(420), indexOptions);
  const sections = readSections(many);
  const [onNow = '', openEnded = '', comingUp = '', past = ''] = many.match(/[\d]+ of \d+/g) ?? [];
  expect([onNow, openEnded, comingUp, past]).toEqual([
    '60 of 120',
    '0 of 20',
    '60 of 140',
    '30 of 140',
  ]);
  expect(sections['Current events']).toHaveLength(60);
  expect(sections['Upcoming events']).toHaveLength(60);
  expect(sections.Optional).toHaveLength(30);
});

const options = {
  site,
  pages: [() => '# A page\n'],
  changedAtMs: Date.parse('2026-11-20T08:05:09.000Z'),
};

test('pages come first, then current, upcoming and past events', async () => {
  const text = await toLlmsFullTxt(
    [
      makeEvent({ name: 'Gone', status: 'ended' }),
      makeEvent({ name: 'Comes' }),
      makeEvent({ name: 'Runs', status: 'ongoing' }),
    ],
    options,
  );
  const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(['Marquee: full text', 'A page', 'Runs', 'Comes', 'Gone']);
  expect(text).toContain('3 events. Last changed 2026-11-20T08:05:09.000Z.');
  expect(text).toContain('Build a lantern that *reacts* to sound.');
});

test('10,000 events are cut to a readable length, with the number of missing ones', async () => {
  let yields = 0;
  const yieldWhenDue = () => {
    yields++;
    return undefined;
  };
  const text = await toLlmsFullTxt(makeEvents(10_000), { ...options, yieldWhenDue });
  expect(text.length).toBeLessThan(fullTextLengthMax + 10_000);
  const [shown = 0, hidden = 0] =
    /([\d,]+) events\. Last changed \S+ ([\d,]+) events that ended/
      .exec(text)
      ?.slice(1)
      .map((count) => Number(count.replaceAll(',', ''))) ?? [];
  expect(shown + hidden).toBe(10_000);
  expect(text.split('\n---\n')).toHaveLength(shown + 2);
  expect(yields).toBe(shown + options.pages.length);
});

test('without events only the pages are listed', async () => {
  const text = await toLlmsFullTxt([], options);
  expect(text).toContain('0 events');
  expect(text).toContain('# A page');
});

test('the full text of a version has what changed, beside what did not', async () => {
  const options = { site, pages: [], changedAtMs: 0 };
  const [first = makeEvent(), second = makeEvent()] = makeEvents(2);
  const before = await toLlmsFullTxt([first, second], options);
  const after = await toLlmsFullTxt([{ ...first, name: 'Torch Jam' }, second], options);
  expect(before).toContain('# Event number 0');
  expect(after).not.toContain('# Event number 0');
  expect(after).toContain('# Torch Jam');
  expect(after).toContain('# Event number 1');
});
