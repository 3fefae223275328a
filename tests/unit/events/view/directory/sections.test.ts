import { expect, test } from 'vitest';
import { toSections, toTimeGroups } from '#lib/events/view/directory/sections.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';

test('pinned events come first on now, then the one that ends soonest', () => {
  const events = [
    makeEvent({ id: 'late', status: 'ongoing', endDate: '2026-12-20' }),
    makeEvent({ id: 'soon', status: 'ongoing', endDate: '2026-12-10' }),
    makeEvent({ id: 'pinned', status: 'ongoing', endDate: '2026-12-30', pinned: true }),
  ];
  expect(ids(toSections(events).onNow)).toEqual(['pinned', 'soon', 'late']);
});

test('an ongoing event without an end is open-ended and not on now', () => {
  const events = [
    makeEvent({ id: 'old', status: 'ongoing', endDate: null, announcedAt: '2026-01-01T00:00:00Z' }),
    makeEvent({ id: 'new', status: 'ongoing', endDate: null, announcedAt: '2026-02-01T00:00:00Z' }),
    makeEvent({ id: 'waits', status: 'upcoming', endDate: null }),
  ];
  const sections = toSections(events);
  expect(ids(sections.openEnded)).toEqual(['new', 'old']);
  expect(ids(sections.comingUp)).toEqual(['waits']);
  expect(sections.onNow).toEqual([]);
});

test('upcoming events are by start date, past ones latest end first', () => {
  const events = [
    makeEvent({ id: 'b', startDate: '2027-02-01' }),
    makeEvent({ id: 'a', startDate: '2027-01-01' }),
    makeEvent({ id: 'x', status: 'ended', endDate: '2025-01-01' }),
    makeEvent({ id: 'y', status: 'ended', endDate: '2025-06-01' }),
  ];
  const sections = toSections(events);
  expect(ids(sections.comingUp)).toEqual(['a', 'b']);
  expect(ids(sections.past)).toEqual(['y', 'x']);
});

test('of one day, the event that starts first comes first, in any zone', () => {
  const day = { startDate: '2027-01-01', endDate: '2027-01-01' };
  const events = [
    makeEvent({ id: 'a', ...day, startsAt: '2027-01-01T19:00:00+01:00' }),
    makeEvent({ id: 'b', ...day, startsAt: '2027-01-01T15:00:00-05:00' }),
    makeEvent({ id: 'c', ...day, startsAt: '2027-01-01T18:30:00+01:00' }),
    makeEvent({ id: 'd', ...day, startsAt: null }),
  ];
  expect(ids(toSections(events).comingUp)).toEqual(['d', 'c', 'a', 'b']);
});

test('ties are in the order of their ids', () => {
  const events = ['c', 'a', 'b'].flatMap((id) => [
    makeEvent({ id, status: 'ended' }),
    makeEvent({ id, status: 'ongoing' }),
  ]);
  const sections = toSections(events);
  expect(ids(sections.past)).toEqual(['a', 'b', 'c']);
  expect(ids(sections.onNow)).toEqual(['a', 'b', 'c']);
});

test('the input array is not reordered', () => {
  const events = Object.freeze([makeEvent({ id: 'b' }), makeEvent({ id: 'a' })]);
  toSections(events);
  expect(ids(events)).toEqual(['b', 'a']);
});

function ids(events: ReadonlyArray<{ id: string }>): string[] {
  return events.map((event) => event.id);
}

function toTitles(today: string, ...dates: string[]): string[] {
  const groups = toTimeGroups(
    dates.map((startDate) => ({ startDate })),
    today,
  );
  return groups.map(({ title, events }) => `${title}: ${events.length}`);
}

test('coming events are divided by day for a week, then by month', () => {
  // A Wednesday.
  const titles = toTitles(
    '2026-11-18',
    '2026-11-18',
    '2026-11-19',
    '2026-11-19',
    '2026-11-22',
    '2026-11-24',
    '2026-11-25',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-24',
    '2027-01-02',
    '2027-12-02',
  );
  expect(titles).toEqual([
    'Today: 1',
    'Tomorrow: 2',
    'Sun 22 Nov: 1',
    'Tue 24 Nov: 1',
    'Next week: 2',
    'November 2026: 1',
    'December 2026: 2',
    'January 2027: 1',
    'December 2027: 1',
  ]);
});

test('on a Sunday next week is seven days, six of which have names', () => {
  expect(toTitles('2026-11-22', '2026-11-23', '2026-11-28', '2026-11-29', '2026-11-30')).toEqual([
    'Tomorrow: 1',
    'Sat 28 Nov: 1',
    'Next week: 1',
    'November 2026: 1',
  ]);
});

test('a week may reach into the next month', () => {
  expect(toTitles('2026-12-23', '2026-12-31', '2027-01-03', '2027-01-04')).toEqual([
    'Next week: 2',
    'January 2027: 1',
  ]);
});

test('what began before has no title', () => {
  expect(toTitles('2026-11-18', '2026-11-18', '2026-11-17', '2026-11-16')).toEqual([
    'Today: 1',
    ': 2',
  ]);
});

test('without events there are no groups', () => {
  expect(toTimeGroups([], '2026-11-18')).toEqual([]);
});
