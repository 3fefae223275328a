import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, weekdayOf } from '#lib/events/model/dates.ts';
import { toStatusOfDays } from '#lib/events/model/status.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

// A Sunday.
const today = '2026-11-22';

function wordsOf(startDate: string, endDate: string | null, day = today) {
  const status = toStatusOfDays({ startDate, endDate }, day);
  const { words, detail } = toWhen(makeEvent({ status, startDate, endDate, inPerson: null }), day);
  return `${words} | ${detail}`;
}

test.for([
  ['2026-11-23', '2026-11-23', 'Tomorrow | Mon 23 Nov'],
  ['2026-11-23', '2026-11-25', 'Tomorrow | Mon 23 Nov – Wed 25 Nov'],
  ['2026-11-23', null, 'From tomorrow | Mon 23 Nov, open-ended'],
  ['2026-11-24', '2026-11-24', 'Tue 24 Nov | in 2 days'],
  ['2026-12-05', '2026-12-05', 'Sat 5 Dec | in 13 days'],
  ['2026-12-05', '2026-12-07', '5–7 Dec | Sat–Mon, in 13 days'],
  ['2026-11-30', '2026-12-02', '30 Nov – 2 Dec | Mon–Wed, in 8 days'],
  ['2026-12-09', '2026-12-23', '9–23 Dec | starts Wed, in 2 weeks'],
  ['2026-12-30', '2027-01-02', '30 Dec – 2 Jan | Wed–Sat, in 5 weeks'],
  ['2027-05-01', '2027-05-01', 'Sat 1 May | in 5 months'],
  ['2027-09-04', '2027-09-04', 'Sat 4 Sep 2027 | in 9 months'],
  ['2027-09-04', '2027-09-05', '4–5 Sep 2027 | Sat–Sun, in 9 months'],
  ['2028-11-18', '2028-11-18', 'Sat 18 Nov 2028 | in 2 years'],
  ['2026-12-05', null, 'From Sat 5 Dec | in 13 days, open-ended'],
] as const)('before it begins, %s to %s is “%s”', ([startDate, endDate, words]) => {
  expect(wordsOf(startDate, endDate)).toBe(words);
});

test.for([
  ['2026-11-22', '2026-11-22', 'Today | Sun 22 Nov'],
  ['2026-11-22', '2026-12-06', 'Starts today | until Sun 6 Dec'],
  ['2026-11-22', null, 'Starts today | Sun 22 Nov, open-ended'],
  ['2026-11-20', '2026-11-22', 'Ends tonight | since Fri 20 Nov'],
  ['2026-11-20', '2026-11-23', 'Ends tomorrow | Mon 23 Nov'],
  ['2026-11-20', '2026-11-25', 'Until Wed 25 Nov | ends in 3 days'],
  ['2025-11-20', '2026-12-25', 'Until Fri 25 Dec | ends in 5 weeks'],
  ['2026-05-03', null, 'Open-ended | since Sun 3 May'],
  ['2025-11-21', null, 'Open-ended | since Fri 21 Nov 2025'],
] as const)('while it is on, %s to %s is “%s”', ([startDate, endDate, words]) => {
  expect(wordsOf(startDate, endDate)).toBe(words);
});

test.for([
  ['2026-11-21', '2026-11-21', 'Sat 21 Nov | yesterday'],
  ['2026-11-14', '2026-11-21', '14–21 Nov | ended Sat, yesterday'],
  ['2026-11-12', '2026-11-14', '12–14 Nov | ended Sat, 8 days ago'],
  ['2026-02-14', '2026-02-14', 'Sat 14 Feb | 9 months ago'],
  ['2025-02-14', '2025-02-14', 'Fri 14 Feb 2025 | 21 months ago'],
] as const)('after it ended, %s to %s is “%s”', ([startDate, endDate, words]) => {
  expect(wordsOf(startDate, endDate)).toBe(words);
});

test.for([
  ['2026-11-25', '2026-11-25', 'Wed 25 Nov | '],
  ['2026-11-22', '2026-11-22', 'Sun 22 Nov | '],
  ['2026-11-20', '2026-11-22', '20–22 Nov | Fri–Sun'],
  ['2026-10-20', '2026-10-22', '20–22 Oct | Tue–Thu'],
  ['2026-12-05', null, 'From Sat 5 Dec | open-ended'],
] as const)(
  'of a cancelled or postponed event, %s to %s is “%s”: nothing ends tonight or starts in 3 days',
  ([startDate, endDate, expected]) => {
    for (const state of ['cancelled', 'postponed'] as const) {
      const event = makeEvent({ startDate, endDate, inPerson: null, state });
      const { words, detail } = toWhen(event, today);
      expect(`${words} | ${detail}`).toBe(expected);
    }
  },
);

test('an event that began a year ago and lasts 400 days tells when it ends', () => {
  expect(wordsOf('2025-11-22', '2026-12-27')).toBe('Until Sun 27 Dec | ends in 5 weeks');
});

test('an end before the start counts as one day', () => {
  expect(wordsOf('2026-12-05', '2026-12-01')).toBe('Sat 5 Dec | in 13 days');
});

const sumo = makeEvent({
  status: 'ongoing',
  startDate: '2026-11-02',
  endDate: '2027-01-02',
  inPerson: { start: '2026-12-31', end: '2027-01-02', location: 'Ghent' },
});

test('an event that runs online for two months and meets for three days says both', () => {
  expect(toWhen(sumo, today)).toEqual({
    words: 'Until Sat 2 Jan',
    detail: 'ends in 6 weeks',
    startDate: '2026-11-02',
    endDate: '2027-01-02',
    inPerson: {
      words: '31 Dec – 2 Jan',
      detail: 'Thu–Sat, in 6 weeks',
      startDate: '2026-12-31',
      endDate: '2027-01-02',
    },
  });
  expect(toWhen(sumo, '2027-01-01').inPerson?.words).toBe('Ends tomorrow');
});

test('in-person days that are all days of the event, unknown or impossible are left out', () => {
  const at = (start: string | null, end: string | null) =>
    toWhen(makeEvent({ ...sumo, inPerson: { start, end, location: 'Ghent' } }), today).inPerson;
  expect(at('2026-11-02', '2027-01-02')).toBeNull();
  expect(at(null, null)).toBeNull();
  expect(at('2026-12-31', '2026-12-30')).toBeNull();
  expect(at('2026-12-31', null)?.endDate).toBe('2027-01-02');
  expect(at(null, '2026-11-04')?.startDate).toBe('2026-11-02');
});

const day = fc.integer({ min: -400, max: 400 }).map((days) => addDays(today, days));

test('words and detail always name the weekday of the first or the last day', () => {
  const length = fc.option(fc.integer({ min: 0, max: 400 }));
  fc.assert(
    fc.property(day, length, (startDate, days) => {
      const endDate = days === null ? null : addDays(startDate, days);
      const names = [startDate, endDate ?? startDate].map(
        (date) => ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][weekdayOf(date)],
      );
      const words = wordsOf(startDate, endDate);
      expect(
        names.some((name) => words.includes(String(name))),
        words,
      ).toBe(true);
    }),
  );
});
