import { expect, test } from 'vitest';
import { formatBudget, noBudget, parseBudget } from '#lib/config/budget.ts';

test('a budget has up to six bounds, in any order', () => {
  expect(parseBudget('5 USD/day, 50 USD/month, 20.5 USD/week, 200,000 tokens/day')).toEqual({
    nanoUsdPerDay: 5_000_000_000,
    nanoUsdPerWeek: 20_500_000_000,
    nanoUsdPerMonth: 50_000_000_000,
    tokensPerDay: 200_000,
    tokensPerWeek: null,
    tokensPerMonth: null,
  });
  expect(parseBudget('1 tokens/month,0.000000001usd / DAY')).toEqual({
    ...noBudget,
    tokensPerMonth: 1,
    nanoUsdPerDay: 1,
  });
});

test('none is no bound, and 0 is nothing at all', () => {
  expect(parseBudget(' None ')).toEqual(noBudget);
  expect(parseBudget('0 USD/day')).toEqual({ ...noBudget, nanoUsdPerDay: 0 });
});

test('digits may be grouped, and the parts need no space between them', () => {
  expect(parseBudget('1,000 USD/day,1,000,000 tokens/day')).toEqual({
    ...noBudget,
    nanoUsdPerDay: 1_000_000_000_000,
    tokensPerDay: 1_000_000,
  });
  for (const text of ['1,00 USD/day', '1,,000 USD/day', ',100 USD/day', '1,000,5 tokens/day']) {
    expect(() => parseBudget(text)).toThrow('is not a budget');
  }
});

test('amounts are exact: no binary fractions', () => {
  expect(parseBudget('0.29 USD/day').nanoUsdPerDay).toBe(290_000_000);
  expect(parseBudget('$1.1 USD/month').nanoUsdPerMonth).toBe(1_100_000_000);
});

test.each([
  ['', '"" is not a budget. Write one like 5 USD/day, 50 USD/month, 200,000 tokens/day, or none.'],
  ['5', /^"5" is not a budget/],
  ['5 EUR/day', /^"5 EUR\/day" is not a budget/],
  ['5 USD/year', /^"5 USD\/year" is not a budget/],
  ['-5 USD/day', /^"-5 USD\/day" is not a budget/],
  ['1.5 tokens/day', /^"1\.5 tokens\/day" is not a budget/],
  ['0.0000000001 USD/day', /^"0\.0000000001 USD\/day" is not a budget/],
  ['5 USD/day,', /^"" is not a budget/],
  ['5 USD/day, 6 USD/day', 'A budget has "6 USD/day" twice: remove one.'],
  ['1000001 USD/day', 'A budget is at most 1,000,000 USD; not "1000001 USD/day".'],
  ['1000000000001 tokens/day', /^A budget is at most 1,000,000,000,000 tokens/],
])('%s is rejected with what to change', (text, message) => {
  expect(() => parseBudget(text)).toThrow(message);
});

test.each([
  'none',
  '5.00 USD/day, 20.00 USD/week, 50.00 USD/month, 200,000 tokens/day, 500,000 tokens/week, 1,000,000 tokens/month',
  '0.000000001 USD/day',
  '0.00 USD/day',
  '1,000,000.00 USD/month',
])('%s is written as it is read', (text) => {
  expect(formatBudget(parseBudget(text))).toBe(text);
});
