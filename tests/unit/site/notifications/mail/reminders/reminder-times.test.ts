import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  findDueReminder,
  isOver,
  listReminderTimes,
  toReminderWord,
} from '#lib/site/notifications/mail/reminders/reminder-times.ts';
import { makeEvening, makeEvent } from '../../../../../support/factories/event-factory.ts';

const wholeDays = { inPerson: null, startDate: '2027-03-28', endDate: '2027-03-28' };

test.each([
  ['a day and an hour before a time', makeEvening(), ['2026-11-23T17:30', '2026-11-24T16:30']],
  // SuiteCRM 822 sends by the zone of the server.
  [
    'by the clocks of the event, on a day without 2:30',
    makeEvening({ inPerson: null, startsAt: '2027-03-29T02:30:00+02:00' }),
    ['2027-03-28T00:30', '2027-03-28T23:30'],
  ],
  [
    'at 9:00 on the day before a day, in the site’s zone',
    makeEvent(wholeDays),
    ['2027-03-27T08:00'],
  ],
  [
    'in the zone of the event, if it has one',
    makeEvent({ ...wholeDays, timeZone: 'America/New_York' }),
    ['2027-03-27T13:00'],
  ],
  [
    'before its first day at its place, too',
    makeEvent({ status: 'ongoing' }),
    ['2026-12-11T08:00', '2026-12-12T08:00'],
  ],
  [
    'before a start without an end',
    makeEvent({ ...wholeDays, endDate: null }),
    ['2027-03-27T08:00'],
  ],
  ['never for a cancelled event', makeEvening({ state: 'cancelled' }), []],
  ['never for a postponed event', makeEvening({ state: 'postponed' }), []],
  ['never for one that is over', makeEvening({ status: 'ended' }), []],
] satisfies [string, MarqueeEvent, string[]][])('people are reminded %s', (_, event, expected) => {
  const times = listReminderTimes(event, 'Europe/Brussels');
  expect(times.map(({ at }) => new Date(at).toISOString().slice(0, 16))).toEqual(expected);
});

test.each([
  ['2026-11-23T17:29:59Z', null],
  ['2026-11-23T17:30:00Z', 'Tomorrow'],
  ['2026-11-23T17:59:59Z', 'Tomorrow'],
  // matrix-reminder-bot 9: after an outage all come at once.
  ['2026-11-23T18:00:00Z', null],
  ['2026-11-24T16:45:00Z', 'Soon'],
  ['2026-11-24T17:00:00Z', null],
  ['2026-11-24T17:30:00Z', null],
])('at %s an evening of the 24th is %s', (time, word) => {
  const now = Date.parse(time);
  const due = findDueReminder(makeEvening(), { siteZone: 'UTC', now });
  expect(due && toReminderWord(due, { timeZone: 'Europe/Brussels', now })).toBe(word);
});

test('a reminder of tomorrow that leaves after midnight says today', () => {
  const event = makeEvening({ startsAt: '2026-11-24T23:50:00+01:00' });
  const now = Date.parse('2026-11-23T23:05:00Z');
  const due = findDueReminder(event, { siteZone: 'UTC', now });
  expect(due && toReminderWord(due, { timeZone: 'Europe/Brussels', now })).toBe('Today');
});

test('an event without an end is over once it has begun', () => {
  const states = (['upcoming', 'ongoing', 'ended'] as const).flatMap((status) =>
    [null, '2026-12-14'].map((endDate) => isOver({ status, endDate })),
  );
  expect(states).toEqual([false, false, true, false, true, true]);
});
