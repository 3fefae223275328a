import { expect, test } from 'vitest';
import { findSimilar } from '#lib/events/view/select-views.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const event = makeEvent({ id: 'recSelf', projectTypes: ['CAD', 'Electronics'], format: 'both' });

test('events with more in common come first, and the event itself is not listed', () => {
  const far = makeEvent({ id: 'recFar', projectTypes: ['Gamedev'] });
  const near = makeEvent({ id: 'recNear', projectTypes: ['CAD'], format: 'online' });
  const nearest = makeEvent({ id: 'recNearest', projectTypes: ['CAD', 'Electronics'] });
  expect(toIds([event, far, near, nearest])).toEqual(['recNearest', 'recNear']);
});

test('upcoming and ongoing events come before past ones, however similar', () => {
  const over = makeEvent({ id: 'recOver', status: 'ended', projectTypes: ['CAD', 'Electronics'] });
  const ahead = makeEvent({ id: 'recAhead', status: 'upcoming', projectTypes: ['CAD'] });
  expect(toIds([over, ahead])).toEqual(['recAhead', 'recOver']);
});

test('ties are in the order of their start dates; past events latest first', () => {
  const make = (id: string, startDate: string, status: 'upcoming' | 'ended') =>
    makeEvent({ id, startDate, status });
  const events = [
    make('recOld', '2020-01-01', 'ended'),
    make('recLate', '2027-02-01', 'upcoming'),
    make('recRecent', '2026-01-01', 'ended'),
    make('recSoon', '2027-01-01', 'upcoming'),
  ];
  expect(toIds(events)).toEqual(['recSoon', 'recLate', 'recRecent', 'recOld']);
});

function toIds(events: Parameters<typeof findSimilar>[1]): string[] {
  return findSimilar(event, events, 4).map(({ id }) => id);
}
