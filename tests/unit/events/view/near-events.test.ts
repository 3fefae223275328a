import { expect, test } from 'vitest';
import { findNearEvents, toNearFilters } from '#lib/events/view/near-events.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

type When = Readonly<{ startDate: string; endDate?: null }>;

function draftOf(id: string, name: string, { city, ...days }: When & Readonly<{ city: string }>) {
  const inPerson = { start: null, end: null, location: `Hall, ${city}` };
  return makeDraft({ id, name, endDate: days.startDate, ...days, format: 'in-person', inPerson });
}

// A Tuesday.
const snapshot = await makeSnapshot([
  draftOf('recOpen', 'Open Desk', { city: 'Ghent', startDate: '2025-09-01', endDate: null }),
  draftOf('recRobot', 'Robot Derby', { city: 'Ghent', startDate: '2026-05-02' }),
  draftOf('recKnit', 'Knitting', { city: 'Lisbon', startDate: '2026-06-02' }),
]);

test('what is left out grows: the days, then the place or the kind, the search, everything', () => {
  const filters = {
    q: 'robot',
    format: ['online' as const],
    city: 'Ghent',
    when: 'weekend' as const,
  };
  expect(toNearFilters(snapshot, filters)).toEqual([
    { title: 'On other days', filters: { q: 'robot', format: ['online'], city: 'Ghent' } },
    { title: 'In other places', filters: { q: 'robot', format: ['online'] } },
    { title: 'Other kinds of events', filters: { q: 'robot', city: 'Ghent' } },
    { title: 'What else is on', filters: { format: ['online'], city: 'Ghent', when: 'weekend' } },
    { title: 'On now and coming up', filters: {} },
  ]);
});

test('what a search says is left out as filters are', () => {
  expect(toNearFilters(snapshot, { q: 'online robot in ghent this weekend' })).toEqual([
    { title: 'On other days', filters: { q: 'online robot in ghent' } },
    { title: 'In other places', filters: { q: 'online robot in' } },
    { title: 'Other kinds of events', filters: { q: 'robot in ghent' } },
    {
      title: 'Only “online in ghent this weekend”',
      filters: { q: 'online in ghent this weekend' },
    },
    { title: 'What else is on', filters: {} },
  ]);
});

test.each([
  ['robot in ghent this weekend', 'On other days', ['recRobot']],
  ['knitting in ghent in june', 'In other places', ['recKnit']],
  ['free knitting in lisbon', 'Other kinds of events', ['recKnit']],
  ['xylophone in ghent', 'Only “in ghent”', ['recRobot', 'recOpen']],
  ['lisbn', 'Did you mean “Lisbon”?', ['recKnit']],
  ['derby lisbn', 'In other places', ['recRobot']],
  // What starts next, not what has been on since September.
  ['xylophone', 'What else is on', ['recRobot', 'recKnit', 'recOpen']],
])('%s suggests what is nearest', (q, title, ids) => {
  const near = findNearEvents(snapshot, { q });
  expect([near?.title, near?.events.map(({ id }) => id)]).toEqual([title, ids]);
});
