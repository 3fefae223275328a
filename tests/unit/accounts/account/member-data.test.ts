import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/account/account.ts';
import { respondWithMemberData } from '#lib/accounts/account/member-data.ts';
import { parseBudget } from '#lib/config/budget.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyInput, openKeyServices } from '../../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase } from '../../../support/servers/each-database.ts';
import { storeRejections, storeUsage } from '../../../support/store-usage.ts';

describeEachDatabase((createTestDatabase) => {
  test('the download has every record of the member, and none of others', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register, clock } = services;
    const member = await database.members.save(makeMember({ claims: { groups: ['makers'] } }));
    const { record, text } = await register.create(makeKeyInput(), makeKeyOwner());
    const ofAda = { keyId: record.id, memberId: member.id };
    // More than one page, on two days.
    const requests = Array.from({ length: 1_500 }, (_, number) =>
      makeUsageRecord({ ...ofAda, at: clock.now() + (number % 2) * 86_400_000 }),
    );
    await storeUsage(database, [
      ...requests,
      makeUsageRecord({
        ...ofAda,
        keyId: 'playground_mbr_ada',
        model: 'in/playground',
        at: clock.now() + 2 * 86_400_000,
      }),
      makeUsageRecord({ keyId: 'key_robin', memberId: 'mbr_robin', model: 'of/robin' }),
    ]);
    await database.keys.insert(
      makeKeyRecord({ name: 'Robin’s', owner: makeKeyOwner({ id: 'mbr_robin' }) }),
    );
    await storeRejections(database, [
      {
        keyId: record.id,
        at: 60_000,
        status: 429,
        code: 'rate_limit_exceeded',
        count: 3,
      },
      { keyId: 'key_robin', at: 60_000, status: 401, code: 'of_robin', count: 1 },
    ]);
    await database.members.setBudget(member.id, parseBudget('5 USD/day'), 'mbr_robin');
    await register.revoke(record.id, member.id);
    const account = createAccount({ database, register, toIdentities: () => [], now: clock.now });
    const response = await respondWithMemberData(member, await account.loadAll(member));
    const file = await response.text();
    const data = JSON.parse(file);
    expect(data).toMatchObject({
      member: { id: 'mbr_ada', subject: 'ada', claims: { groups: ['makers'] }, disabled_at: null },
      keys: [
        { id: record.id, name: 'laptop', begins_with: record.hint, requests_per_minute: null },
      ],
      changes: [
        { action: 'key.revoked', by: 'you' },
        { action: 'member.budget', by: 'an admin' },
        { action: 'key.created', by: 'you' },
      ],
      rejections: [{ key: 'laptop', minute: '1970-01-01T00:01:00.000Z', status: 429, count: 3 }],
    });
    expect(data.requests).toHaveLength(1_501);
    expect(data.requests[0]).toMatchObject({ key: 'Playground', model: 'in/playground' });
    expect(data.requests.at(-1)).toMatchObject({ key: 'laptop', tokens_in: 10, cost_usd: 0.25 });
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    expect(data.totals).toContainEqual({
      of: 'you',
      period: month,
      tokens: 45_030,
      cost_usd: 375.25,
    });
    expect(file).not.toMatch(/robin|hash/i);
    expect(file).not.toContain(text);
  });
});
