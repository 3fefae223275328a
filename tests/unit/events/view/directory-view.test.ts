import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { linesMax, postersMax, toDirectoryView } from '#lib/events/view/directory-view.ts';
import { makeEvent } from '../../../support/event-factory.ts';

const firstPage = { page: 1, isOneStatus: false };

test('sections hold their events, and counts tell of all of them', () => {
  const wall = toDirectoryView(
    [...make(2, 'ongoing'), ...make(3, 'upcoming'), ...make(1, 'ended')],
    firstPage,
  );
  expect(wall.sections.map(({ kind, total, events }) => [kind, total, events.length])).toEqual([
    ['onNow', 2, 2],
    ['comingUp', 3, 3],
    ['openEnded', 0, 0],
    ['past', 1, 1],
  ]);
  expect(wall.counts).toEqual({ onNow: 2, comingUp: 3, past: 1, all: 6 });
  expect(wall.paging).toBeNull();
});

test('however many events there are, a page shows a bounded number of them', () => {
  const count = fc.nat(150);
  fc.assert(
    fc.property(count, count, count, fc.boolean(), (ongoing, upcoming, ended, isOneStatus) => {
      const events = [
        ...make(ongoing, 'ongoing'),
        ...make(upcoming, 'upcoming'),
        ...make(ended, 'ended'),
      ];
      const { sections } = toDirectoryView(events, { page: 1, isOneStatus });
      const posters = sections.filter(({ kind }) => kind !== 'past');
      expect(sum(posters.map((section) => section.events.length))).toBeLessThanOrEqual(postersMax);
      expect(sections.at(-1)?.events.length).toBeLessThanOrEqual(linesMax);
    }),
    { numRuns: 50 },
  );
});

test('a long section leaves room for those behind it', () => {
  const events = [...make(500, 'ongoing'), ...make(500, 'upcoming')];
  const [onNow, comingUp] = toDirectoryView(events, firstPage).sections;
  expect(onNow?.events.length).toBe(postersMax - 12);
  expect(comingUp?.events.length).toBe(12);
});

test('turned page by page, every event of a status is shown once', () => {
  const events = [...make(70, 'ongoing'), ...make(75, 'ongoing', null)];
  const pages = [1, 2, 3].map((page) => toDirectoryView(events, { page, isOneStatus: true }));
  const ids = pages.flatMap(({ sections }) =>
    sections.flatMap((section) => section.events.map(({ id }) => id)),
  );
  expect(ids).toHaveLength(145);
  expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
  expect(pages[2]?.paging).toEqual({ page: 3, pages: 3 });
});

test('a page beyond the last one is the last one', () => {
  const wall = toDirectoryView(make(61, 'ended'), { page: 9, isOneStatus: true });
  expect(wall.paging).toEqual({ page: 2, pages: 2 });
  expect(wall.sections.at(-1)?.events).toHaveLength(1);
});

test('neither long texts nor addresses that die travel with the page', () => {
  const [, comingUp] = toDirectoryView([makeEvent()], firstPage).sections;
  expect(comingUp?.events[0]).not.toHaveProperty('description');
  expect(comingUp?.events[0]).not.toHaveProperty('requirements');
  expect(JSON.stringify(comingUp)).not.toContain('signature=');
});

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
