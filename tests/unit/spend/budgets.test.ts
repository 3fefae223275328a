import { expect, test } from 'vitest';
import { noBudget } from '#lib/config/budget.ts';
import { toBudget } from '#lib/spend/budgets.ts';

test('a budget that was stored before there were weeks has no bound of a week', () => {
  const stored =
    '{"tokensPerDay":5,"tokensPerMonth":null,"nanoUsdPerDay":7,"nanoUsdPerMonth":null}';
  expect(toBudget(stored)).toEqual({ ...noBudget, tokensPerDay: 5, nanoUsdPerDay: 7 });
});
