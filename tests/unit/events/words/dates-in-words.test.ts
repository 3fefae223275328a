import { expect, test, vi } from 'vitest';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';

test.each([
  ['2026-12-12', '2026-12-12', '12 Dec 2026'],
  ['2026-12-12', '2026-12-14', '12–14 Dec 2026'],
  ['2026-11-30', '2026-12-02', '30 Nov – 2 Dec 2026'],
  ['2026-12-30', '2027-01-02', '30 Dec 2026 – 2 Jan 2027'],
  ['2026-05-03', null, 'from 3 May 2026, open-ended'],
  ['2026-12-12', '2026-12-01', '12 Dec 2026'],
])('%s to %s is “%s”', (startDate, endDate, words) => {
  expect(toDatesInWords({ startDate, endDate })).toBe(words);
});

test('the machine’s time zone does not change days', () => {
  vi.stubEnv('TZ', 'Pacific/Honolulu');
  const words = toDatesInWords({ startDate: '2026-01-01', endDate: '2026-12-31' });
  vi.unstubAllEnvs();
  expect(words).toBe('1 Jan – 31 Dec 2026');
});
