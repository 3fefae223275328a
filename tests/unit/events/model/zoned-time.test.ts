import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createTimeZone,
  formatZonedTime,
  parseTimeZone,
  toClockTime,
  toZonedTime,
} from '#lib/events/model/zoned-time.ts';

function resolve(date: string, time: string, timeZone: string): string | null {
  return formatZonedTime(toZonedTime({ date, time, timeZone }));
}

test.for([
  ['in winter', '2026-11-24', '18:30', 'Europe/Brussels', '2026-11-24T18:30:00+01:00'],
  ['in summer', '2026-07-01', '18:30', 'Europe/Brussels', '2026-07-01T18:30:00+02:00'],
  ['in the south', '2026-01-01', '00:00', 'Australia/Adelaide', '2026-01-01T00:00:00+10:30'],
  ['behind UTC', '2026-11-24', '23:59', 'America/St_Johns', '2026-11-24T23:59:00-03:30'],
  ['in UTC', '2026-11-24', '00:00', 'UTC', '2026-11-24T00:00:00+00:00'],
  // The two examples of RFC 5545 §3.3.5.
  ['skipped', '2007-03-11', '02:30', 'America/New_York', '2007-03-11T03:30:00-04:00'],
  ['repeated', '2007-11-04', '01:30', 'America/New_York', '2007-11-04T01:30:00-04:00'],
  ['skipped in Europe', '2026-03-29', '02:00', 'Europe/Brussels', '2026-03-29T03:00:00+02:00'],
  ['repeated in Europe', '2026-10-25', '02:59', 'Europe/Brussels', '2026-10-25T02:59:00+02:00'],
  ['just after', '2026-10-25', '03:00', 'Europe/Brussels', '2026-10-25T03:00:00+01:00'],
  ['by half an hour', '2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-05T01:45:00+11:00'],
  ['no midnight', '2026-09-06', '00:30', 'America/Santiago', '2026-09-06T01:30:00-03:00'],
  ['a day that was skipped', '2011-12-30', '12:00', 'Pacific/Apia', '2011-12-31T12:00:00+14:00'],
] as const)('%s', ([, date, time, zone, expected]) => {
  expect(resolve(date, time, zone)).toBe(expected);
});

test('an offset of seconds is cut to minutes, for the same moment', () => {
  const moment = toZonedTime({ date: '1960-01-01', time: '12:00', timeZone: 'Africa/Monrovia' });
  expect(moment.timeMs).toBe(Date.parse('1960-01-01T12:44:30Z'));
  expect(Date.parse(formatZonedTime(moment) ?? '')).toBe(moment.timeMs);
});

test('a moment past the year 9999 cannot be written', () => {
  expect(resolve('9999-12-31', '23:59', 'Pacific/Kiritimati')).toBe('9999-12-31T23:59:00+14:00');
  expect(
    formatZonedTime({ timeMs: Date.UTC(9999, 11, 31, 23, 59), offsetMs: 3_600_000 }),
  ).toBeNull();
});

test('every minute around a clock change is in order, and shows its own time', () => {
  const zone = 'America/New_York';
  for (const [date, skipped] of [
    ['2026-03-08', 60],
    ['2026-11-01', 0],
  ] as const) {
    let wrong = 0;
    let before = 0;
    for (let minute = 0; minute < 1440; minute++) {
      const time = new Date(minute * 60_000).toISOString().slice(11, 16);
      const { timeMs } = toZonedTime({ date, time, timeZone: zone });
      if (toClockTime(timeMs, zone) !== time) wrong++;
      else expect(timeMs).toBeGreaterThan(before);
      if (toClockTime(timeMs, zone) === time) before = timeMs;
    }
    expect(wrong).toBe(skipped);
  }
});

test.for([
  ['Europe/Brussels', 'Europe/Brussels'],
  [' europe/brussels ', 'Europe/Brussels'],
  ['America/New York', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['europe/kyiv', 'Europe/Kyiv'],
  ['Etc/GMT+2', 'Etc/GMT+2'],
  ['utc', 'UTC'],
  ['+02:00', null],
  ['GMT+2', null],
  ['Europe/Atlantis', null],
  ['Brussels', null],
  ['Europe/Brussels\u0000', null],
  ['', null],
] as const)('the time zone %j', ([text, expected]) => {
  expect(parseTimeZone(text)).toBe(expected);
});

const at = (time: string) => Date.parse(time);

test.for([
  ['UTC', '2026-03-10T23:59:59.999Z', '2026-03-10', '2026-03-11T00:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-03-10T10:00:00Z', '2026-03-11', '2026-03-11T10:00:00.000Z'],
  ['Pacific/Niue', '2026-03-10T10:00:00Z', '2026-03-09', '2026-03-10T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-03-10T18:14:59Z', '2026-03-10', '2026-03-10T18:15:00.000Z'],
  // A day of 23 hours, and one of 25.
  ['Europe/Lisbon', '2026-03-29T00:00:00Z', '2026-03-29', '2026-03-29T23:00:00.000Z'],
  ['Europe/Lisbon', '2026-10-24T23:00:00Z', '2026-10-25', '2026-10-26T00:00:00.000Z'],
  // Days that begin at one o'clock.
  ['America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-03', '2018-11-04T03:00:00.000Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04', '2018-11-05T02:00:00.000Z'],
  ['Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23', '2026-04-23T22:00:00.000Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24', '2026-04-24T21:00:00.000Z'],
  // A day with two midnights.
  ['Africa/Cairo', '2026-10-29T20:30:00Z', '2026-10-29', '2026-10-29T22:00:00.000Z'],
  // 30 December 2011 was skipped.
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31', '2011-12-31T10:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-04T12:59:59Z', '2026-04-04', '2026-04-04T13:00:00.000Z'],
] as const)('in %s at %s it is %s until %s', ([zone, time, date, until]) => {
  const timeZone = createTimeZone(zone);
  expect(timeZone.dayAt(at(time))).toBe(date);
  expect(new Date(timeZone.dayEndsAt(at(time))).toISOString()).toBe(until);
});

const zones = [
  'UTC',
  'Europe/Lisbon',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'America/Havana',
  'America/Nuuk',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
] as const;
const moment = fc.integer({ min: at('2012-01-01T00:00:00Z'), max: at('2036-01-01T00:00:00Z') });

test('a day ends exactly when the next one begins', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (zone, time) => {
      const end = createTimeZone(zone).dayEndsAt(time);
      expect(end).toBeGreaterThan(time);
      expect(end - time).toBeLessThanOrEqual(26 * 3_600_000);
      expect(createTimeZone(zone).dayAt(end - 1)).toBe(createTimeZone(zone).dayAt(time));
      expect(createTimeZone(zone).dayAt(end)).not.toBe(createTimeZone(zone).dayAt(time));
    }),
    { numRuns: 300 },
  );
});

test('the cached day never changes a result, wherever the clock jumps', () => {
  const jumps = fc.array(fc.oneof(moment, fc.integer({ min: -90_000_000, max: 90_000_000 })), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.constantFrom(...zones), jumps, (zone, times) => {
      const timeZone = createTimeZone(zone);
      let time = at('2026-03-10T12:00:00Z');
      for (const jump of times) {
        time = Math.abs(jump) > 90_000_000 ? jump : time + jump;
        expect(timeZone.dayAt(time)).toBe(createTimeZone(zone).dayAt(time));
        expect(timeZone.dayEndsAt(time)).toBe(createTimeZone(zone).dayEndsAt(time));
      }
    }),
  );
});

test('every year has four digits', () => {
  const timeZone = createTimeZone('UTC');
  expect(timeZone.dayAt(at('0999-05-05T00:00:00Z'))).toBe('0999-05-05');
  expect(timeZone.dayAt(at('0050-01-01T00:00:00Z'))).toBe('0050-01-01');
});

test('an unknown time zone is an error at once', () => {
  expect(() => createTimeZone('Mars/Olympus')).toThrow(RangeError);
});
