import { expect, test } from 'vitest';
import {
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
