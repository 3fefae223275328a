import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventMoments,
  listTransitions,
  toStatus,
  toStatusOfDays,
} from '#lib/events/model/status.ts';
import { createTimeZone, formatZonedTime, toZonedTime } from '#lib/events/model/zoned-time.ts';

test.for([
  ['2026-03-09', 'upcoming'],
  ['2026-03-10', 'ongoing'],
  ['2026-03-12', 'ongoing'],
  ['2026-03-13', 'ended'],
] as const)('on %s an event from the 10th to the 12th is %s', ([today, status]) => {
  expect(toStatusOfDays({ startDate: '2026-03-10', endDate: '2026-03-12' }, today)).toBe(status);
});

test('an event without an end is ongoing forever', () => {
  const dates = { startDate: '2026-03-10', endDate: null };
  expect(toStatusOfDays(dates, '2026-03-09')).toBe('upcoming');
  expect(toStatusOfDays(dates, '9999-12-31')).toBe('ongoing');
});

const evening: EventMoments = {
  startDate: '2026-11-24',
  endDate: '2026-11-24',
  timeZone: 'America/New_York',
  startsAt: '2026-11-24T19:00:00-05:00',
  endsAt: '2026-11-24T22:00:00-05:00',
};
const weekend = { startDate: '2026-11-27', endDate: '2026-11-29' };
const days = { timeZone: null, startsAt: null, endsAt: null };

function statusAt(event: EventMoments, now: string, zone: string) {
  const timeMs = Date.parse(now);
  return toStatus(event, { timeMs, day: createTimeZone(zone).dayAt(timeMs) });
}

test.for<[string, EventMoments, string, string[]]>([
  [
    'begins and ends at its moments, wherever the site is',
    evening,
    'Pacific/Auckland',
    ['2026-11-24T23:59:59Z upcoming', '2026-11-25T00:00:00Z ongoing'],
  ],
  [
    'has ended at its end',
    evening,
    'UTC',
    ['2026-11-25T02:59:59Z ongoing', '2026-11-25T03:00:00Z ended'],
  ],
  [
    'goes on in the nights between its days',
    { ...evening, ...weekend, startsAt: '2026-11-27T19:00:00Z', endsAt: '2026-11-29T22:00:00Z' },
    'UTC',
    [
      '2026-11-27T18:59:00Z upcoming',
      '2026-11-28T03:00:00Z ongoing',
      '2026-11-29T21:59:59Z ongoing',
      '2026-11-29T22:00:00Z ended',
    ],
  ],
  [
    'without a start begins at midnight of the site',
    { ...evening, startsAt: null },
    'Europe/Lisbon',
    ['2026-11-23T23:59:59Z upcoming', '2026-11-24T00:00:00Z ongoing', '2026-11-25T03:00:00Z ended'],
  ],
  [
    'without an end ends after its last day, there and on the site',
    { ...evening, endsAt: null },
    'UTC',
    ['2026-11-25T00:00:00Z ongoing', '2026-11-25T04:59:59Z ongoing', '2026-11-25T05:00:00Z ended'],
  ],
  [
    'and the site’s day may be the later one',
    { ...evening, endsAt: null, timeZone: 'Asia/Tokyo', startsAt: '2026-11-24T19:00:00+09:00' },
    'America/Los_Angeles',
    ['2026-11-25T07:59:59Z ongoing', '2026-11-25T08:00:00Z ended'],
  ],
  [
    'without an end date stays ongoing',
    { ...evening, endDate: null, endsAt: null },
    'UTC',
    ['2026-11-24T12:00:00Z upcoming', '2030-01-01T00:00:00Z ongoing'],
  ],
  [
    'without a moment goes by the days of the site',
    { ...weekend, ...days, timeZone: 'Asia/Tokyo' },
    'America/New_York',
    [
      '2026-11-27T04:59:59Z upcoming',
      '2026-11-27T05:00:00Z ongoing',
      '2026-11-30T04:59:59Z ongoing',
      '2026-11-30T05:00:00Z ended',
    ],
  ],
  [
    'that ended in the morning before the site’s day began never was ongoing there',
    { ...evening, timeZone: 'Asia/Tokyo', startsAt: null, endsAt: '2026-11-24T09:00:00+09:00' },
    'America/Los_Angeles',
    ['2026-11-23T23:59:59Z upcoming', '2026-11-24T00:00:00Z ended'],
  ],
])('an event %s', ([, event, zone, expected]) => {
  const found = expected.map((line) => {
    const [now = ''] = line.split(' ');
    return `${now} ${statusAt(event, now, zone)}`;
  });
  expect(found).toEqual(expected);
});

const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Europe/Lisbon',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];
const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10));
const clock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16));

const anyEvent = fc
  .record({
    startDate: day,
    length: fc.option(fc.integer({ min: 0, max: 3 })),
    start: fc.option(clock),
    end: fc.option(clock),
    timeZone: fc.constantFrom(...zones),
  })
  .map(({ startDate, length, start, end, timeZone }): EventMoments => {
    const endDate =
      length === null
        ? null
        : new Date(Date.parse(startDate) + length * 86_400_000).toISOString().slice(0, 10);
    const from = start && toZonedTime({ date: startDate, time: start, timeZone });
    const to = end && endDate && toZonedTime({ date: endDate, time: end, timeZone });
    const isLater = !from || !to || to.timeMs > from.timeMs;
    return {
      startDate,
      endDate,
      timeZone,
      startsAt: from ? formatZonedTime(from) : null,
      endsAt: to && isLater ? formatZonedTime(to) : null,
    };
  });

const rank = { upcoming: 0, ongoing: 1, ended: 2 };

test('a status only moves forward, and only at a transition or at midnight', () => {
  const hoursAway = fc.array(fc.integer({ min: -3 * 24 * 60, max: 8 * 24 * 60 }), {
    minLength: 2,
    maxLength: 2,
  });
  fc.assert(
    fc.property(anyEvent, hoursAway, fc.constantFrom(...zones), (event, minutes, zone) => {
      const site = createTimeZone(zone);
      const [earlier = 0, later = 0] = minutes
        .map((minute) => Date.parse(event.startDate) + minute * 60_000)
        .sort((a, b) => a - b);
      const [before, after] = [earlier, later].map((timeMs) =>
        toStatus(event, { timeMs, day: site.dayAt(timeMs) }),
      );
      if (before === undefined || after === undefined) throw new Error('no status');
      expect(rank[before]).toBeLessThanOrEqual(rank[after]);
      const moments = listTransitions(event, zone);
      const isBetween = moments.some((moment) => moment > earlier && moment <= later);
      if (!isBetween && site.dayAt(earlier) === site.dayAt(later)) expect(after).toBe(before);
    }),
    { numRuns: 2_000 },
  );
});
