import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  linesMax,
  postersMax,
  toDirectoryView,
} from '#lib/events/view/directory/directory-view.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';

const firstPage = { filters: {}, page: 1, periodStart: null };

test('sections have their events, and counts cover all events', () => {
  const view = toDirectoryView(
    [...make(2, 'ongoing'), ...make(3, 'upcoming'), ...make(1, 'ended')],
    firstPage,
  );
  expect(view.sections.map(({ kind, total, events }) => [kind, total, events.length])).toEqual([
    ['onNow', 2, 2],
    ['comingUp', 3, 3],
    ['past', 1, 1],
  ]);
  expect(view.total).toBe(6);
  expect(view.paging).toBeNull();
});

test('a page shows a bounded number of events', () => {
  const count = fc.nat(150);
  fc.assert(
    fc.property(count, count, count, fc.boolean(), (ongoing, upcoming, ended, isPaged) => {
      const events = [
        ...make(ongoing, 'ongoing'),
        ...make(upcoming, 'upcoming'),
        ...make(ended, 'ended'),
      ];
      const { sections } = toDirectoryView(events, {
        ...firstPage,
        filters: isPaged ? { status: ['ongoing'] } : {},
      });
      const posters = sections.filter(({ kind }) => kind !== 'past');
      expect(sum(posters.map((section) => section.events.length))).toBeLessThanOrEqual(postersMax);
      const lines = sections.filter(({ kind }) => kind === 'past');
      expect(sum(lines.map((section) => section.events.length))).toBeLessThanOrEqual(linesMax);
    }),
    { numRuns: 50 },
  );
});

test('a long section leaves room for later ones', () => {
  const events = [...make(500, 'ongoing'), ...make(500, 'upcoming')];
  const [onNow, comingUp] = toDirectoryView(events, firstPage).sections;
  expect(onNow?.events.length).toBe(postersMax - 12);
  expect(comingUp?.events.length).toBe(12);
});

test('the pages of a status show each event once', () => {
  const events = [...make(70, 'ongoing'), ...make(75, 'ongoing', null)];
  const pages = [1, 2, 3].map((page) =>
    toDirectoryView(events, { ...firstPage, filters: { status: ['ongoing'] }, page }),
  );
  const ids = pages.flatMap(({ sections }) =>
    sections.flatMap((section) => section.events.map(({ id }) => id)),
  );
  expect(ids).toHaveLength(145);
  expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
  expect(pages[2]?.paging).toEqual({ page: 3, pages: 3 });
});

test('a page number past the end gives the last page', () => {
  const view = toDirectoryView(make(61, 'ended'), {
    ...firstPage,
    filters: { status: ['ended'] },
    page: 9,
  });
  expect(view.paging).toEqual({ page: 2, pages: 2 });
  expect(view.sections.at(-1)?.events).toHaveLength(1);
});

test('a period has what begins in it, and apart from that what began before', () => {
  const events = [
    makeEvent({ id: 'weeks', status: 'ongoing', startDate: '2026-11-02', endDate: '2026-12-20' }),
    makeEvent({ id: 'open', status: 'ongoing', startDate: '2026-09-01', endDate: null }),
    makeEvent({ id: 'eve', status: 'upcoming', startDate: '2026-11-27', endDate: '2026-11-28' }),
    makeEvent({ id: 'late', status: 'upcoming', startDate: '2026-11-29' }),
    makeEvent({ id: 'soon', status: 'upcoming', startDate: '2026-11-28' }),
  ];
  expect(showSections(events, '2026-11-28')).toEqual([
    ['alsoRunning', ['weeks', 'open']],
    // A short event belongs to the days that it is on.
    ['comingUp', ['soon', 'late', 'eve']],
  ]);
});

test('a list of today has what is pinned first, then today in order of time, then what runs long', () => {
  const today = '2026-11-28';
  const ofToday = { status: 'ongoing', startDate: today, endDate: today } as const;
  const events = [
    makeEvent({ id: 'weeks', status: 'ongoing', startDate: '2026-11-02', endDate: '2026-12-20' }),
    makeEvent({ id: 'pinned', status: 'upcoming', startDate: '2027-01-09', pinned: true }),
    makeEvent({ id: 'pinned, on', status: 'ongoing', startDate: '2026-11-02', pinned: true }),
    makeEvent({ id: 'pinned, over', status: 'ended', endDate: '2026-11-01', pinned: true }),
    makeEvent({ id: 'over', status: 'ended', startDate: '2026-01-01', endDate: '2026-10-01' }),
    makeEvent({ id: 'hackathon', status: 'ongoing', startDate: '2026-11-27', endDate: today }),
    makeEvent({ id: 'evening', ...ofToday, startsAt: '2026-11-28T19:00:00+01:00' }),
    makeEvent({ id: 'morning', ...ofToday, startsAt: '2026-11-28T09:00:00+01:00' }),
    makeEvent({ id: 'open', status: 'ongoing', startDate: today, endDate: null }),
    makeEvent({ id: 'tomorrow', status: 'upcoming', startDate: '2026-11-29' }),
  ];
  expect(showSections(events, today)).toEqual([
    ['pinned', ['pinned, on', 'pinned']],
    ['onNow', ['open', 'morning', 'evening', 'hackathon']],
    ['alsoRunning', ['weeks']],
    ['comingUp', ['tomorrow']],
    ['past', ['pinned, over', 'over']],
  ]);
});

function showSections(events: readonly MarqueeEvent[], periodStart: string) {
  const { sections } = toDirectoryView(events, { ...firstPage, periodStart });
  return sections.map(({ kind, events }) => [kind, events.map(({ id }) => id)]);
}

function make(
  count: number,
  status: MarqueeEvent['status'],
  endDate: string | null = '2026-12-14',
): MarqueeEvent[] {
  return Array.from({ length: count }, (_, index) =>
    makeEvent({ id: `rec${status}${endDate}${index}`, status, endDate }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
