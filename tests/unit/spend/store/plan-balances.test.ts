import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Balance,
  type CountedUsage,
  planBalances,
  toChanges,
} from '#lib/spend/store/plan-balances.ts';

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

test('changes are added to the balances that exist', () => {
  const changes = toChanges([{ ...usage, memberId: null, groupName: null }]);
  expect(planBalances(changes, [balance('all', '2026-03-10', 100, 1_000)])).toEqual([
    balance('all', '2026-03-10', 130, 1_500),
    balance('key:one', '2026-03-10', 30, 500),
  ]);
});

test('a sum ends at 2^53 - 1 and stays there', () => {
  const full = balance('all', '2026-03-10', Number.MAX_SAFE_INTEGER - 5, 7);
  const [planned] = planBalances([balance('all', '2026-03-10', 30, 500)], [full]);
  expect(planned).toEqual(balance('all', '2026-03-10', Number.MAX_SAFE_INTEGER, 507));
  const corrected = planBalances([balance('all', '2026-03-10', -30, -7)], planned ? [planned] : []);
  expect(corrected).toEqual([balance('all', '2026-03-10', Number.MAX_SAFE_INTEGER, 500)]);
});

test('however usage is split into batches, the balances are the same, and add up', () => {
  const anyUsage = fc.record({
    keyId: fc.constantFrom('one', 'two', 'all', 'key:one'),
    memberId: fc.constantFrom(null, 'ada', 'bo'),
    groupName: fc.constantFrom(null, 'staff', 'group with blanks 2026-03'),
    day: fc.constantFrom('2026-03-10', '2026-03-11', '2026-04-01'),
    tokens: fc.nat(1e10),
    nanoUsd: fc.nat(1e9),
  });
  fc.assert(
    fc.property(fc.array(anyUsage), fc.nat(30), (all, at) => {
      const stored = new Map<string, Balance>();
      for (const batch of [all.slice(0, at), all.slice(at)]) {
        for (const one of planBalances(toChanges(batch), [...stored.values()])) {
          stored.set(`${one.account} ${one.period}`, one);
        }
      }
      const sum = (list: readonly { tokens: number }[]) =>
        list.reduce((total, { tokens }) => total + tokens, 0);
      const balances = [...stored.values()];
      for (const day of ['2026-03-10', '2026-03-11', '2026-04-01']) {
        const ofDay = balances.filter(({ period }) => period === day);
        const used = sum(all.filter((one) => one.day === day));
        expect(sum(ofDay.filter(({ account }) => account === 'all'))).toBe(used);
        expect(sum(ofDay.filter(({ account }) => account.startsWith('key:')))).toBe(used);
      }
      expect(planBalances(toChanges(all), [])).toEqual(
        balances.sort((a, b) => (`${a.account} ${a.period}` < `${b.account} ${b.period}` ? -1 : 1)),
      );
    }),
  );
});
