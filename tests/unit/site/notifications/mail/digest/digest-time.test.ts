import { describe, expect, it } from 'vitest';
import { findNextDigest } from '#lib/site/notifications/mail/digest/digest-time.ts';

const next = (weekday: number, hour: number, timeZone: string, after: string) =>
  new Date(findNextDigest({ weekday, hour, timeZone }, Date.parse(after))).toISOString();

describe('findNextDigest', () => {
  it('is the next such hour in the zone of the reader', () => {
    expect(next(1, 8, 'Europe/Brussels', '2026-11-23T06:59:00Z')).toBe('2026-11-23T07:00:00.000Z');
    expect(next(1, 8, 'Europe/Brussels', '2026-11-23T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
    expect(next(0, 0, 'Pacific/Auckland', '2026-11-23T07:00:00Z')).toBe('2026-11-28T11:00:00.000Z');
    expect(next(3, 23, 'America/New_York', '2026-11-23T07:00:00Z')).toBe(
      '2026-11-26T04:00:00.000Z',
    );
  });

  it('is the next hour where a clock change skips it', () => {
    // On 29 March 2026, clocks in Brussels go from 2:00 to 3:00.
    expect(next(0, 2, 'Europe/Brussels', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next(0, 3, 'Europe/Brussels', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('is once where clocks show an hour twice', () => {
    expect(next(0, 2, 'Europe/Brussels', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
    expect(next(0, 2, 'Europe/Brussels', '2026-10-25T00:00:00Z')).toBe('2026-11-01T01:00:00.000Z');
  });

  it('comes once a week, for a year in every zone', () => {
    for (const timeZone of ['Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Tehran']) {
      let at = Date.parse('2026-01-01T00:00:00Z');
      for (let week = 0; week < 53; week += 1) {
        const after = findNextDigest({ weekday: 0, hour: 2, timeZone }, at);
        if (week > 0) expect(Math.abs(after - at - 7 * 86_400_000)).toBeLessThanOrEqual(3_600_000);
        at = after;
      }
    }
  });
});
