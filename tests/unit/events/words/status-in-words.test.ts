import { expect, test } from 'vitest';
import { toStatusInWords } from '#lib/events/words/status-in-words.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

/** Two months, of which three days are in person. */
const sumo = makeEvent({
  status: 'ongoing',
  format: 'both',
  startDate: '2026-11-02',
  endDate: '2027-01-02',
  inPerson: { start: '2026-12-12', end: '2026-12-14', location: 'Ghent' },
});

test.for([
  ['2026-11-22', 'both', 'Online now, in person later'],
  ['2026-12-11', 'both', 'Online now, in person later'],
  ['2026-12-12', 'both', 'Online and in person now'],
  ['2026-12-14', 'both', 'Online and in person now'],
  ['2026-12-15', 'both', 'Online now, in person is over'],
  ['2026-11-22', 'in-person', 'On now, in person later'],
  ['2026-12-13', 'in-person', 'In person now'],
  ['2026-12-15', 'in-person', 'On now, in person is over'],
] as const)('on %s, an event that is %s is “%s”', ([today, format, words]) => {
  expect(toStatusInWords({ ...sumo, format }, today)).toBe(words);
});

test('an event that is all of its days at one place is simply on', () => {
  const inPerson = { start: '2026-11-02', end: '2027-01-02', location: 'Ghent' };
  expect(toStatusInWords({ ...sumo, inPerson }, '2026-11-22')).toBe('On now');
  expect(toStatusInWords({ ...sumo, inPerson: null }, '2026-11-22')).toBe('On now');
});

test('before and after its days an event is coming up, and over', () => {
  expect(toStatusInWords({ ...sumo, status: 'upcoming' }, '2026-10-01')).toBe('Coming up');
  expect(toStatusInWords({ ...sumo, status: 'ended' }, '2027-02-01')).toBe('Past');
});

test('plans that changed come first', () => {
  const of = (state: 'cancelled' | 'postponed') =>
    toStatusInWords({ ...sumo, state }, '2026-11-22');
  expect(of('cancelled')).toBe('It won’t take place');
  expect(of('postponed')).toBe('It won’t be on these dates');
  const after = (state: 'cancelled' | 'postponed') =>
    toStatusInWords({ ...sumo, state, status: 'ended' }, '2027-02-01');
  expect(after('cancelled')).toBe('It didn’t take place');
  expect(after('postponed')).toBe('It wasn’t on these dates');
});
