import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeZone } from '#lib/events/model/time-zone.ts';

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
