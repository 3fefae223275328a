import { describe, expect, it } from 'vitest';
import type { Member } from '#lib/accounts/store/member-record.ts';
import { parseBudget } from '#lib/config/budget.ts';
import { findMemberAlerts } from '#lib/site/notifications/alerts/member-alerts.ts';
import { makeKeyRecord } from '../../../../support/factories/key-factory.ts';
import { makeMember } from '../../../../support/factories/member-factory.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const dayMs = 86_400_000;
const member: Member = { ...makeMember(), disabledAt: null, budget: null, group: null };
const options = {
  now,
  tokensPerDay: 1_000_000,
  memberBudget: parseBudget('1000 tokens/day, 5 USD/month'),
  totalBudget: parseBudget('none'),
};

const find = (parts: Partial<Parameters<typeof findMemberAlerts>[0]>) =>
  findMemberAlerts(
    { member, keys: [], balances: [], revokedByOthers: new Set(), ...parts },
    options,
  );

const spend = (tokens: number, usd = 0) => [
  { account: `member:${member.id}`, period: '2026-11-01', tokens: 0, nanoUsd: usd * 1e9 },
  { account: `member:${member.id}`, period: '2026-11-23', tokens, nanoUsd: 0 },
];

describe('findMemberAlerts', () => {
  it('tells of a budget at 80 % and when it is used up, each for itself', () => {
    expect(find({ balances: spend(799) })).toEqual([]);
    expect(find({ balances: spend(800, 4) }).map(({ text }) => text)).toEqual([
      '1.00 of 5.00 USD are left this month. The budget starts again on 2026-12-01 at 0:00 (UTC).',
      '200 of 1,000 tokens are left today. The budget starts again on 2026-11-24 at 0:00 (UTC).',
    ]);
    const [usedUp, ...others] = find({ balances: spend(1_000) });
    expect(others).toEqual([]);
    expect(usedUp?.subject).toBe('Your budget is used up');
    expect(usedUp?.cause).not.toBe(find({ balances: spend(800) })[0]?.cause);
  });

  it('tells of a key that expires within a week', () => {
    const key = (days: number) => makeKeyRecord({ name: 'laptop', expiresAt: now + days * dayMs });
    expect(find({ keys: [key(8)] })).toEqual([]);
    expect(find({ keys: [key(-1)] })).toEqual([]);
    expect(find({ keys: [key(6)] })).toMatchObject([
      { subject: 'Your key “laptop” expires on 2026-11-29' },
    ]);
  });

  it('tells of a key that somebody else has revoked, not of one’s own doing', () => {
    const key = makeKeyRecord({ id: 'key_1', name: 'laptop', revokedAt: now - 1000 });
    expect(find({ keys: [key] })).toEqual([]);
    const alerts = find({ keys: [key], revokedByOthers: new Set(['key_1']) });
    expect(alerts).toMatchObject([{ subject: 'Your key “laptop” was revoked' }]);
  });
});
