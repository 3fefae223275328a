import { expect, test } from 'vitest';
import { toSearchTerms } from '#lib/events/search/date-words.ts';

// A Wednesday.
const today = '2026-11-25';

/** Which of these days a search names, besides the words that it looks for. */
function namesDay(search: string, date: string): boolean {
  const [term] = toSearchTerms(search.split(' '), today);
  return term?.isOnDays?.({ startDate: date, endDate: date }) ?? false;
}

test.for([
  ['today', '2026-11-25', '2026-11-25'],
  ['tonight', '2026-11-25', '2026-11-25'],
  ['tomorrow', '2026-11-26', '2026-11-26'],
  ['weekend', '2026-11-28', '2026-11-29'],
  ['this weekend', '2026-11-28', '2026-11-29'],
  ['this week', '2026-11-25', '2026-11-29'],
  ['next week', '2026-11-30', '2026-12-06'],
  ['next 7 days', '2026-11-25', '2026-12-01'],
  ['this month', '2026-11-25', '2026-11-30'],
  ['next month', '2026-12-01', '2026-12-31'],
  ['friday', '2026-11-27', '2026-11-27'],
  ['wednesday', '2026-11-25', '2026-11-25'],
  ['tuesday', '2026-12-01', '2026-12-01'],
] as const)('“%s” names %s to %s', ([search, from, to]) => {
  const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
  const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  expect([before, from, to, after].map((date) => namesDay(search, date))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a month is found by its name or its first letters, in any year', () => {
  for (const search of ['december', 'dec']) {
    expect(namesDay(search, '2026-12-31')).toBe(true);
    expect(namesDay(search, '2025-12-01')).toBe(true);
    expect(namesDay(search, '2026-11-30')).toBe(false);
  }
  const [term] = toSearchTerms(['january'], today);
  expect(term?.isOnDays?.({ startDate: '2026-12-30', endDate: '2027-01-02' })).toBe(true);
  expect(term?.isOnDays?.({ startDate: '2026-02-01', endDate: '2027-03-02' })).toBe(true);
  expect(term?.isOnDays?.({ startDate: '2026-02-01', endDate: '2026-12-31' })).toBe(false);
  expect(term?.isOnDays?.({ startDate: '2026-02-01', endDate: null })).toBe(false);
});

test('a search is divided into phrases that name days and single words', () => {
  const terms = toSearchTerms('berlin this weekend next jam constructor'.split(' '), today);
  expect(terms.map(({ words, isOnDays }) => [words.join(' '), isOnDays !== null])).toEqual([
    ['berlin', false],
    ['this weekend', true],
    ['next', false],
    ['jam', false],
    ['constructor', false],
  ]);
});
