import { expect, test } from 'vitest';
import { toSections } from '#lib/events/view/directory/sections.ts';
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
