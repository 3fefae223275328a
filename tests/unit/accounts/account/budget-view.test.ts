import { expect, test } from 'vitest';
import { toBudgetViews } from '#lib/accounts/account/budget-view.ts';
import { noBudget, parseBudget } from '#lib/config/budget.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const tomorrow = Date.parse('2026-03-11T00:00:00Z');
const nextMonth = Date.parse('2026-04-01T00:00:00Z');
const memberBudget = parseBudget('1000 tokens/day');
const defaults = { tokensPerDay: 2_000_000, memberBudget, totalBudget: noBudget, now };
const owner = makeKeyOwner({ id: 'ada' });
const ada = { ...makeMember({ id: 'ada' }), disabledAt: null, budget: null, group: null };

test('a member sees what is left of its budget, and of keys that have their own', () => {
  const keys = [
    makeKeyRecord({ owner }),
    makeKeyRecord({ id: 'one', name: 'ci', owner, budget: parseBudget('2 USD/month') }),
  ];
  const balances = [
    { account: 'member:ada', period: '2026-03-10', tokens: 800, nanoUsd: 5 },
    { account: 'key:one', period: '2026-02-28', tokens: 700, nanoUsd: 9_000_000_000 },
    { account: 'key:one', period: '2026-03-01', tokens: 700, nanoUsd: 2_000_000_001 },
  ];
  expect(toBudgetViews({ member: ada, keys }, balances, defaults)).toEqual([
    {
      title: 'Your account',
      period: 'day',
      when: 'today',
      ofWhen: 'today’s',
      unit: 'tokens',
      state: 'low',
      numbers: { left: 200, limit: 1000 },
      resetsAt: tomorrow,
    },
    {
      title: 'Key “ci”',
      period: 'month',
      when: 'this month',
      ofWhen: 'this month’s',
      unit: 'usd',
      state: 'used-up',
      numbers: { left: 0, limit: 2 },
      resetsAt: nextMonth,
    },
  ]);
});

test('a week has what was used from Monday on, also in the month before', () => {
  const budget = parseBudget('2 USD/week, 5 USD/month');
  const member = { ...ada, budget };
  const spent = (day: string, usd: number) => ({
    account: 'member:ada',
    period: day,
    tokens: 0,
    nanoUsd: usd * 1e9,
  });
  // The 1st of April is a Wednesday.
  const balances = [spent('2026-03-29', 0.5), spent('2026-03-30', 1), spent('2026-04-01', 0.25)];
  const at = Date.parse('2026-04-01T12:00:00Z');
  expect(toBudgetViews({ member, keys: [] }, balances, { ...defaults, now: at })).toMatchObject([
    { period: 'month', numbers: { left: 4.75, limit: 5 } },
    {
      period: 'week',
      numbers: { left: 0.75, limit: 2 },
      resetsAt: Date.parse('2026-04-06T00:00:00Z'),
    },
  ]);
});

test('of two bounds of a key for tokens in a day, the lower one is shown, which is the one that counts', () => {
  const budget = parseBudget('500 tokens/day');
  const keys = [makeKeyRecord({ id: 'one', name: 'ci', owner, tokensPerDay: 100, budget })];
  const [, view] = toBudgetViews({ member: ada, keys }, [], defaults);
  expect(view).toMatchObject({ title: 'Key “ci”', numbers: { left: 100, limit: 100 } });
});

// ASVS 8.2.3
test('of a group and the site there are no numbers', () => {
  const member = {
    ...ada,
    budget: noBudget,
    group: { name: 'staff', budget: parseBudget('9 USD/month') },
  };
  const all = { ...defaults, totalBudget: parseBudget('100 tokens/day') };
  const balances = [
    { account: 'group:staff', period: '2026-03-31', tokens: 1, nanoUsd: 7_000_000_000 },
  ];
  expect(toBudgetViews({ member, keys: [] }, balances, all)).toEqual([
    {
      title: 'Your group',
      period: 'month',
      when: 'this month',
      ofWhen: 'this month’s',
      unit: 'usd',
      state: 'ok',
      numbers: null,
      resetsAt: nextMonth,
    },
    {
      title: 'This site',
      period: 'day',
      when: 'today',
      ofWhen: 'today’s',
      unit: 'tokens',
      state: 'ok',
      numbers: null,
      resetsAt: tomorrow,
    },
  ]);
});
