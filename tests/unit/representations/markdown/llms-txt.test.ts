import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLlmsTxt } from '#lib/representations/markdown/llms-txt.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

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
    { site },
  );
  const sections = readSections(text);
  expect(Object.keys(sections)).toEqual([
    'Pages',
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
  const [, title, quote] = start.exec(toLlmsTxt([makeEvent()], { site })) ?? [];
  expect(title).toBe('Marquee');
  expect(quote).toMatch(/\w/);
});

test('without events there are pages and feeds, and no empty section', () => {
  expect(Object.keys(readSections(toLlmsTxt([], { site })))).toEqual(['Pages', 'API and feeds']);
});

test('brackets are removed from names, parentheses encoded in URLs', () => {
  const text = toLlmsTxt([makeEvent({ name: '[Draft] Jam]', slug: 'jam-(2)' })], { site });
  expect(text).toContain('[Draft Jam](https://events.example/events/jam-%282%29.md)');
});

test('10,000 events stay under 50,000 characters', () => {
  const long = makeEvents(10_000).map((event) => ({ ...event, name: '*_'.repeat(200) }));
  expect(toLlmsTxt(long, { site }).length).toBeLessThan(50_000);
});

test('no text breaks the grammar of llms.txt parsers', () => {
  fc.assert(
    fc.property(fc.array(hostileEvent, { maxLength: 4 }), (events) => {
      const text = toLlmsTxt(events, { site });
      expect(text).toMatch(start);
      expect(text).not.toMatch(/[\r\ufeff\u2028\u2029]/);
      const sections = readSections(text);
      const { Pages, 'API and feeds': api, ...ofEvents } = sections;
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
  expect(toLlmsTxt([makeEvent({ state: 'cancelled' })], { site })).toContain(
    'On now: 0. Open-ended: 0. Coming up: 1. Past: 0. All are listed below.',
  );
  const many = toLlmsTxt(makeEvents(420), { site });
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

test('an entry says if its event does not take place as announced', () => {
  const text = toLlmsTxt([makeEvent({ state: 'postponed' })], { site });
  expect(text).toContain('.md): Postponed · 12–14 Dec 2026 · ');
});
