import { expect, test } from 'vitest';
import { readAllUsage } from '#lib/accounts/admin/all-usage.ts';
import { keys } from '#lib/accounts/admin/key-list.ts';
import { log } from '#lib/accounts/admin/log-list.ts';
import { loadMember, members } from '#lib/accounts/admin/member-list.ts';
import { readRange, toAllUsageView } from '#lib/accounts/admin/usage-view.ts';
import { readListQuery, toListSearch } from '#lib/accounts/lists/list-query.ts';
import { parseBudget } from '#lib/config/budget.ts';
import { parseAccessRules } from '#lib/config/setting-schemas.ts';
import type { Database } from '#lib/database.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeRejections, storeUsage } from '../../../support/store-usage.ts';

const now = Date.parse('2026-03-20T12:00:00Z');
const dayMs = 86_400_000;
const hostile = `<script>alert(1)</script>${'x'.repeat(275)}`;

async function fill(database: Database): Promise<void> {
  await database.members.save(makeMember({ id: 'mbr_1', confirmedAt: now - 5 * dayMs }));
  const robin = { id: 'mbr_2', subject: 'robin', name: hostile, email: 'robin@makers.example' };
  await database.members.save(makeMember(robin));
  const owner = makeKeyOwner({ id: 'mbr_1' });
  const records = [
    makeKeyRecord({ id: 'key_a', owner, name: 'laptop', usedAt: now }),
    makeKeyRecord({ id: 'key_b', owner, name: 'phone', expiresAt: now - 1 }),
    makeKeyRecord({ id: 'key_c', owner, name: 'old', revokedAt: now - 1 }),
    makeKeyRecord({ id: 'key_d', name: 'cron' }),
  ];
  for (const key of records) await database.keys.insert(key);
  const used = {
    at: now,
    tokensIn: 100,
    tokensOut: 20,
    cachedTokens: 40,
    cacheWriteTokens: 3,
    costUsd: 0.5,
  };
  await storeUsage(database, [
    makeUsageRecord({ ...used, memberId: 'mbr_1', keyId: 'key_a' }),
    makeUsageRecord({ ...used, memberId: 'mbr_1', keyId: 'key_c', status: 502 }),
    makeUsageRecord({ ...used, memberId: 'mbr_1', keyId: 'playground_mbr_1', costUsd: null }),
    makeUsageRecord({ ...used, keyId: 'key_d', model: 'demo/large' }),
    makeUsageRecord({ ...used, memberId: 'mbr_1', keyId: 'key_a', at: now - 40 * dayMs }),
  ]);
  await storeRejections(database, [
    { keyId: 'key_a', at: now, status: 429, code: 'rate_limit_exceeded', count: 7 },
    { keyId: 'key_d', at: now, status: 429, code: 'rate_limit_exceeded', count: 2 },
  ]);
}

describeEachDatabase((createTestDatabase) => {
  async function openFilled() {
    const database = await openTestDatabase(await createTestDatabase());
    await fill(database);
    return database;
  }

  test('a member has the keys that work, the usage of 30 days, and when they were last seen', async () => {
    const database = await openFilled();
    const admins = parseAccessRules('robin@makers.example') ?? [];
    const source = { database, admins, now };
    const session = { id: 'ses_1', memberId: 'mbr_1', hash: 'h', device: 'Firefox' };
    await database.sessions.insert({ ...session, createdAt: now - dayMs, usedAt: now - 60_000 });
    const { rows, ...place } = await members.load(source, readListQuery(members, {}));
    expect(place).toEqual({ total: 2, before: null, after: null });
    expect(rows.find(({ id }) => id === 'mbr_1')).toMatchObject({
      name: 'Ada Moreno',
      isAdmin: false,
      isDisabled: false,
      keys: 1,
      lastSeenAt: now - 60_000,
      usage: { requests: 3, tokensIn: 300, tokensOut: 60, costUsd: 1 },
    });
    expect(rows.find(({ id }) => id === 'mbr_2')).toMatchObject({
      name: hostile,
      isAdmin: true,
      keys: 0,
      usage: { requests: 0, costUsd: null },
    });
    expect(await loadMember(source, 'mbr_3')).toBeNull();
  });

  test('keys are found by name, first characters, id and owner, filtered and sorted', async () => {
    const source = { database: await openFilled(), admins: [], now };
    const find = async (values: Readonly<Record<string, string>>) => {
      const { rows, total } = await keys.load(source, readListQuery(keys, values));
      expect(total).toBe(rows.length);
      return rows.map(({ name, state }) => `${name} ${state}`);
    };
    expect(await find({ sort: 'name' })).toEqual([
      'cron active',
      'laptop active',
      'old revoked',
      'phone expired',
    ]);
    expect(await find({ q: 'MORENO', sort: 'name' })).toEqual([
      'laptop active',
      'old revoked',
      'phone expired',
    ]);
    for (const q of ['cron', ' key_d ']) expect(await find({ q })).toEqual(['cron active']);
    expect(await find({ state: 'active', sort: 'used' })).toEqual(['cron active', 'laptop active']);
    expect(await find({ state: 'expired' })).toEqual(['phone expired']);
    expect(await find({ state: 'revoked', q: 'moreno' })).toEqual(['old revoked']);
    expect(await find({ owner: 'operator' })).toEqual(['cron active']);
    expect(await find({ owner: 'member', state: 'active' })).toEqual(['laptop active']);
    // Usage of earlier than thirty days does not count.
    expect((await find({ sort: 'cost' })).slice(0, 3).sort()).toEqual([
      'cron active',
      'laptop active',
      'old revoked',
    ]);
    // What is not known counts as not given.
    expect(await find({ state: 'toString', owner: 'x', sort: '__proto__' })).toHaveLength(4);
    const query = readListQuery(keys, { person: 'mbr_1' });
    const { rows: own, total } = await keys.load(source, { ...query, limit: 1 });
    expect([own.length, total]).toEqual([1, 3]);
    const { rows } = await keys.load(source, query);
    expect(rows.find(({ id }) => id === 'key_a')).toMatchObject({
      owner: { id: 'mbr_1', name: 'Ada Moreno' },
      lastUsedAt: now,
      usage: { requests: 1, tokensIn: 100, tokensOut: 20, costUsd: 0.5 },
    });
  });

  test('usage has members with their playgrounds, every day of the range, and failures by code', async () => {
    const database = await openFilled();
    const span = { fromDay: '2026-03-14', today: '2026-03-20' };
    const usage = await readAllUsage(database, span);
    const view = toAllUsageView(usage, span);
    expect(view.members).toEqual([
      {
        id: 'mbr_1',
        name: 'Ada Moreno',
        href: '/admin/members/mbr_1',
        requests: 3,
        tokensIn: 300,
        tokensOut: 60,
        costUsd: 1,
        cachedTokens: 120,
        cacheWriteTokens: 9,
      },
    ]);
    expect(view.keys.map(({ name }) => name).sort()).toEqual([
      'Playground of Ada Moreno',
      'cron',
      'laptop',
      'old',
    ]);
    expect(view.models.map(({ name, requests }) => [name, requests])).toEqual([
      ['demo/small', 3],
      ['demo/large', 1],
    ]);
    expect(view.days).toHaveLength(7);
    expect(view.days[0]).toMatchObject({ period: '2026-03-14', requests: 0 });
    expect(view.days[6]).toMatchObject({ period: '2026-03-20', requests: 4, tokensIn: 400 });
    expect(view.failures).toEqual([
      { status: 429, code: 'rate_limit_exceeded', requests: 9 },
      { status: 502, code: null, requests: 1 },
    ]);
    expect(view.lastFailures).toEqual([
      expect.objectContaining({
        member: 'Ada Moreno',
        name: 'old',
        status: 502,
        at: expect.any(Number),
        model: expect.stringMatching(/^demo/),
      }),
    ]);
  });

  test('the log names who exists, and shows budgets as people write them', async () => {
    const database = await openFilled();
    await database.members.setBudget('mbr_1', parseBudget('5 USD/day'), 'mbr_2');
    await database.members.remove('mbr_2', 'mbr_2');
    const load = async (action: string) => {
      const source = { database, admins: [], now };
      return (await log.load(source, readListQuery(log, { action }))).rows;
    };
    expect(await load('member.budget')).toMatchObject([
      {
        by: { id: 'mbr_2', name: null },
        about: { id: 'mbr_1', name: 'Ada Moreno' },
        changes: [{ column: 'budget', from: null, to: '5.00 USD/day' }],
      },
    ]);
    const created = await load('key.created');
    const key = created.find(({ target }) => target === 'key_b');
    expect(key).toMatchObject({
      by: null,
      targetName: 'phone',
      changes: [{ column: 'expires at', from: null, to: '2026-03-20T11:59:59.999Z' }],
    });
  });
});

test('a list starts at the page whose number a URL has, from 1 on, and keeps its filters in an order of its own', () => {
  const starts = ['2', '0', '-1', 'x', '1e9', undefined, '7'.repeat(9)].map(
    (page) => readListQuery(log, { page }).start,
  );
  const first = { kind: 'offset', offset: 0 };
  expect(starts).toEqual([{ kind: 'offset', offset: 50 }, ...Array(6).fill(first)]);
  const values = { sort: 'cost', person: 'mbr_1', state: 'active', q: ' a&b ', x: 'y' };
  const search = '?q=a%26b&state=active&person=mbr_1&sort=cost';
  expect(toListSearch(keys, readListQuery(keys, values))).toBe(search);
  const after = { kind: 'after', cursor: 'c' } as const;
  expect(toListSearch(keys, readListQuery(keys, {}), after)).toBe('?after=c');
});

test('a range is one of three', () => {
  expect(['1', '7', '30', '365', undefined].map(readRange)).toEqual([1, 7, 30, 30, 30]);
});
