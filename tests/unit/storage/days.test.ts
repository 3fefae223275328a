import { expect, test } from 'vitest';
import { toUtcDay, toUtcHour } from '#lib/storage/days.ts';

const at = (text: string) => Date.parse(text);

test('a day begins at midnight in UTC, whichever day was asked for before', () => {
  const days = [
    ['2026-11-26T23:59:59.999Z', '2026-11-26'],
    ['2026-11-27T00:00:00.000Z', '2026-11-27'],
    ['2026-11-27T23:59:59.999Z', '2026-11-27'],
    ['2026-11-26T23:59:59.999Z', '2026-11-26'],
    ['2028-02-29T12:00:00Z', '2028-02-29'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31'],
    ['1970-01-01T00:00:00Z', '1970-01-01'],
  ] as const;
  expect(days.map(([time]) => toUtcDay(at(time)))).toEqual(days.map(([, day]) => day));
});

test('a time that is none is an error, also after a day', () => {
  toUtcDay(at('2026-11-27T00:00:00Z'));
  expect(() => toUtcDay(Number.NaN)).toThrow(RangeError);
});

test('an hour is named by its start', () => {
  expect(toUtcHour(at('2026-11-26T14:59:59.999Z'))).toBe('2026-11-26T14:00Z');
});
