import { expect, test } from 'vitest';
import { toBudgetLines, toSpendOutlook } from '#lib/accounts/account/spend-outlook.ts';
import { readUsageSpan } from '#lib/accounts/account/usage-span.ts';
import { parseBudget } from '#lib/config/budget.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';

const member = { ...makeMember(), disabledAt: null, budget: null, group: null };
/** Half of November is over. */
const now = Date.parse('2026-11-16T00:00:00Z');
const day = 86_400_000;

function makeBalance(period: string, usd: number, tokens = 1_000): Balance {
  return { account: 'member:mbr_ada', period, tokens, nanoUsd: usd * 1e9 };
}

const balances = [
  makeBalance('2026-10-31', 100),
  makeBalance('2026-11-01', 2),
  makeBalance('2026-11-15', 1),
  { ...makeBalance('2026-11-15', 50), account: 'key:key_one' },
];

function look(budget: string, options: Partial<Parameters<typeof toSpendOutlook>[0]> = {}) {
  const memberBudget = parseBudget(budget);
  return toSpendOutlook({ member, memberBudget, balances, now, ...options });
}

test('what is spent this month goes on at the same rate', () => {
  expect(look('10 USD/month')).toEqual({
    when: 'this month',
    unit: 'usd',
    used: 3,
    limit: 10,
    expected: 6,
    usedUpAt: null,
    resetsAt: Date.parse('2026-12-01T00:00:00Z'),
  });
});

test('a budget that does not last ends before the month does', () => {
  // Three dollars in fifteen days: four in twenty.
  expect(look('4 USD/month')).toMatchObject({ limit: 4, usedUpAt: now + 5 * day });
  expect(look('3 USD/month')).toMatchObject({ used: 3, limit: 3, usedUpAt: null });
});

test('on the first day a rate says nothing, and neither does nothing', () => {
  const early = Date.parse('2026-11-02T10:00:00Z');
  expect(look('10 USD/month', { now: early }).expected).toBeNull();
  expect(look('10 USD/month', { balances: [] })).toMatchObject({ used: 0, expected: null });
});

test.each([
  // A budget of a member wins over that of all.
  ['7 USD/week', '10 USD/month', { unit: 'usd', limit: 7, when: 'this week' }],
  [null, '500 tokens/day', { unit: 'usd', used: 3, limit: null, when: 'this month' }],
  [null, 'none', { unit: 'usd', used: 3, limit: null }],
])('the budget %s beside that of all, %s, is told as %o', (budget, memberBudget, outlook) => {
  const own = budget === null ? null : parseBudget(budget);
  expect(look(memberBudget, { member: { ...member, budget: own } })).toMatchObject(outlook);
});

test('without a known cost it is about tokens, not about no dollars', () => {
  const unpriced = [makeBalance('2026-11-10', 0, 600), makeBalance('2026-11-16', 0, 50)];
  expect(look('none', { balances: unpriced })).toMatchObject({ unit: 'tokens', used: 650 });
  const ofDay = { unit: 'tokens', used: 50, limit: 500, when: 'today' };
  expect(look('500 tokens/day', { balances: unpriced })).toMatchObject(ofDay);
});

test('the line of a budget is an even share of it, in dollars and in tokens', () => {
  const spender = { member, memberBudget: parseBudget('30 USD/month, 2 USD/day, 2400 tokens/day') };
  expect(toBudgetLines(spender, 'day', now)).toMatchObject([
    { unit: 'usd', share: 1, limit: 30 },
    { unit: 'tokens', share: 2_400, limit: 2_400 },
  ]);
  expect(toBudgetLines(spender, 'hour', now).map(({ share }) => share)).toEqual([1 / 24, 100]);
  expect(toBudgetLines({ member, memberBudget: parseBudget('none') }, 'day', now)).toEqual([]);
});

const late = Date.parse('2026-11-16T23:59:59.999Z');

test.each([
  [{}, 30, '2026-10-18', '2026-11-16'],
  [{ days: '7' }, 7, '2026-11-10', '2026-11-16'],
  [{ days: '8' }, 30, '2026-10-18', '2026-11-16'],
  [{ days: '1' }, 24, '2026-11-16T00:00Z', '2026-11-16T23:00Z'],
  [{ from: '2026-11-03', to: '2026-11-01' }, 3, '2026-11-01', '2026-11-03'],
  [{ from: '2026-11-03', to: '' }, 14, '2026-11-03', '2026-11-16'],
  [{ to: '2026-02-28', days: '7' }, 30, '2026-01-30', '2026-02-28'],
  [{ from: '2026-11-10', to: '2027-01-01' }, 7, '2026-11-10', '2026-11-16'],
  [{ from: '2020-01-01' }, 366, '2025-11-16', '2026-11-16'],
  [{ from: '2026-02-30', to: 'now' }, 30, '2026-10-18', '2026-11-16'],
])('the time of %o has %d parts, from %s to %s', (parameters, count, first, last) => {
  const { periods } = readUsageSpan(parameters, late);
  expect([periods.length, periods[0], periods.at(-1)]).toEqual([count, first, last]);
});
