import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { findBudgetAlerts } from '#lib/site/notifications/alerts/budget-alerts.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../../support/factories/member-factory.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { storeUsage } from '../../../../support/store-usage.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const options = {
  levels: [50, 80, 100],
  tokensPerDay: 1_000_000,
  totalBudget: parseBudget('10 USD/month'),
  now,
};

describeEachDatabase((createTestDatabase) => {
  async function openSite() {
    const database = await openTestDatabase(await createTestDatabase());
    await database.groups.create('staff', parseBudget('4 USD/week'));
    await database.members.save(makeMember({ id: 'mbr_ada' }));
    const owner = makeKeyOwner({ id: 'mbr_ada' });
    const budget = parseBudget('1 USD/day');
    await database.keys.insert(makeKeyRecord({ id: 'key_ci', name: 'ci', budget }));
    await database.keys.insert(
      makeKeyRecord({ id: 'key_ada', name: 'Ada’s laptop', owner, budget }),
    );
    const spend = (keyId: string, costUsd: number, at = now - 1_000) =>
      storeUsage(database, [makeUsageRecord({ keyId, groupName: 'staff', costUsd, at })]);
    const find = async () =>
      (await findBudgetAlerts(database, options)).filter(({ data }) => data.unit === 'usd');
    return { database, spend, find };
  }

  test('the site, groups and keys are told of at the highest level that they have reached', async () => {
    const { spend, find } = await openSite();
    await spend('key_ci', 0.49);
    expect(await find()).toEqual([]);
    await spend('key_ci', 0.01);
    const day = { period: 'day', unit: 'usd', limit: 1, resetsAt: '2026-11-24T00:00:00.000Z' };
    expect((await find()).map(({ data }) => data)).toEqual([
      { of: 'key', id: 'key_ci', name: 'ci', ...day, level: 50, used: 0.5 },
    ]);
    await spend('key_ada', 5);
    const alerts = await find();
    const told = alerts.map(({ data, causes }) => [
      `${data.of} ${data.name ?? data.id ?? ''}`,
      ...[data.level, data.used, causes.length],
    ]);
    expect(told.toSorted()).toEqual([
      ['group staff', 100, 5.5, 3],
      ['key ci', 50, 0.5, 1],
      ['key key_ada', 100, 5, 3],
      ['site ', 50, 5.5, 1],
    ]);
    // What a member has called a key, and who they are.
    expect(JSON.stringify(alerts.map(({ data }) => data))).not.toMatch(/laptop|mbr_ada/);
  });

  test('what was used in an earlier period does not count', async () => {
    const { spend, find } = await openSite();
    await spend('key_ci', 9, Date.parse('2026-10-31T23:59:59Z'));
    expect(await find()).toEqual([]);
  });

  test('a budget that is raised is told of anew', async () => {
    const { database, spend, find } = await openSite();
    await spend('key_ci', 2, now - 3 * 3_600_000);
    const causesOf = async () => (await find()).flatMap(({ causes }) => causes);
    const before = await causesOf();
    await database.groups.setBudget('staff', parseBudget('2.50 USD/week'));
    const after = await causesOf();
    expect(after.filter((cause) => before.includes(cause))).toEqual([]);
    expect(after).not.toEqual([]);
  });
});
