import { expect, test } from 'vitest';
import { type Balance, type CountedUsage, toChanges } from '#lib/spend/store/plan-balances.ts';

const usage: CountedUsage = {
  keyId: 'one',
  memberId: 'ada',
  groupName: 'staff',
  day: '2026-03-10',
  tokens: 30,
  nanoUsd: 500,
};

const balance = (account: string, period: string, tokens: number, nanoUsd = 0): Balance => ({
  account,
  period,
  tokens,
  nanoUsd,
});

test('a request is charged to its key, member, group and all, by day', () => {
  expect(toChanges([usage])).toEqual(
    ['all', 'group:staff', 'key:one', 'member:ada'].map((account) =>
      balance(account, '2026-03-10', 30, 500),
    ),
  );
});

test('a key of the operator has neither member nor group', () => {
  const own = { ...usage, memberId: null, groupName: null };
  expect(toChanges([own]).map(({ account }) => account)).toEqual(['all', 'key:one']);
});
