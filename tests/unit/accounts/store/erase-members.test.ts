import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toPlaygroundKeyId } from '#lib/accounts/account/playground-key.ts';
import { createConnection, type DatabaseOptions } from '#lib/storage/connection.ts';
import {
  makeKeyRecord,
  makeUsageRecord,
  uncountable,
} from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { findBalance } from '../../../support/find-balance.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeOpenUsage, storeRejections, storeUsage } from '../../../support/store-usage.ts';

/** Every table with all its rows, whatever the columns are. */
async function readAllTables(options: DatabaseOptions): Promise<ReadonlyMap<string, string>> {
  const connection = createConnection(options);
  const tables = await connection.run((db) => db.introspection.getTables());
  const contents = new Map<string, string>();
  for (const { name } of tables.filter((table) => table.name.startsWith('marquee_'))) {
    const { rows } = await connection.run((db) =>
      sql`select * from ${sql.table(name)}`.execute(db),
    );
    contents.set(name, JSON.stringify(rows));
  }
  await connection.close();
  return contents;
}

describeEachDatabase((createTestDatabase) => {
  async function open(start: string) {
    const clock = createFakeClock(start);
    const options = { ...(await createTestDatabase()), now: clock.now };
    return { clock, options, database: await openTestDatabase(options) };
  }

  // ASVS 14.2.4
  test('when the month of a deletion has ended, no row of any table names the member or a key', async () => {
    const { clock, options, database } = await open('2026-03-10T12:00:00Z');
    const id = 'mbr_zz4d4';
    await database.members.save(makeMember({ id, subject: 'sub-zz4d4' }));
    const robin = { id: 'mbr_robin', subject: 'robin', name: 'Robin', email: null };
    await database.members.save(makeMember(robin));
    await database.groups.create('staff', null, id);
    await database.members.setGroup(id, 'staff', 'mbr_robin');
    const owner = makeKeyOwner({ id });
    const key = makeKeyRecord({ id: 'key_of_zz4d4', name: 'Ada’s laptop', owner });
    await database.keys.insert(key, id);
    await database.keys.update('key_of_zz4d4', { name: 'Moreno’s worktable' }, id);
    const session = { id: 'ses_of_zz4d4', memberId: id, hash: 'h', device: 'Firefox' };
    const times = { createdAt: clock.now(), usedAt: clock.now() };
    await database.sessions.insert({ ...session, ...times });
    await database.sessions.insert({ ...session, ...times, id: 'ses_two', hash: 'two' });
    await database.sessions.end('ses_of_zz4d4', id);
    const ids = { requestId: 'request-of-zz4d4', replyId: 'chatcmpl-of-zz4d4' };
    const ofAda = { memberId: id, groupName: 'staff', ...ids };
    await storeUsage(database, [
      makeUsageRecord({ ...ofAda, keyId: key.id }),
      makeUsageRecord({ ...ofAda, keyId: toPlaygroundKeyId(id) }),
      makeUsageRecord({ ...ofAda, keyId: key.id, ...uncountable }),
      makeUsageRecord({ keyId: 'key_robin', memberId: 'mbr_robin', groupName: 'staff' }),
    ]);
    await storeOpenUsage(database, makeUsageRecord({ ...ofAda, keyId: key.id }));
    expect(await database.usage.listSetAside()).toHaveLength(1);
    const rejection = { keyId: 'key_of_zz4d4', at: 0, status: 429, code: 'x', count: 1 };
    await storeRejections(database, [{ ...rejection, ...ofAda }]);

    const traces = /zz4d4|moreno|makers|laptop|worktable/i;
    const tablesWith = async (pattern: RegExp) =>
      [...(await readAllTables(options))]
        .filter(([, rows]) => pattern.test(rows))
        .map(([name]) => name);
    expect(await tablesWith(traces)).toHaveLength(10);
    await database.members.remove(id, 'hash of identity', id);
    expect(await tablesWith(/moreno|makers|laptop|worktable|sub-zz4d4/i)).toEqual([]);
    await database.members.eraseRemoved(Date.parse('2026-03-31T23:59:59Z'));
    expect(await tablesWith(/mbr_zz4d4/)).not.toEqual([]);
    await database.members.eraseRemoved(Date.parse('2026-04-01T00:00:00Z'));
    expect(await tablesWith(traces)).toEqual([]);
    expect(await tablesWith(/hash of identity/)).toEqual([]);

    // What was used stays, and the books and the audit log are still right.
    expect(await database.balances.audit()).toEqual([]);
    expect(await findBalance(database, 'group:staff', '2026-03')).toMatchObject({ tokens: 90 });
    expect(await findBalance(database, 'key:deleted', '2026-03-10')).toMatchObject({ tokens: 60 });
    expect(await database.auditLog.verify()).toMatchObject({ erased: 8, problems: [] });
  });

  test('an account that is deleted in the last minute of a month and a week is erased an hour later', async () => {
    const { options, database } = await open('2026-05-31T23:59:30Z');
    const { id } = await database.members.save(makeMember());
    await database.members.remove(id, 'hash of identity', id);
    // A request that was under way.
    await storeUsage(database, [makeUsageRecord({ keyId: toPlaygroundKeyId(id), memberId: id })]);
    await database.members.eraseRemoved(Date.parse('2026-06-01T00:59:30Z'));
    expect([...(await readAllTables(options)).values()].join()).not.toContain(id);
  });

  test('a request that ends only after the erasure names nobody either', async () => {
    const { options, database } = await open('2026-03-10T12:00:00Z');
    const { id } = await database.members.save(makeMember());
    const others = await database.members.save(makeMember({ id: 'mbr_robin', subject: 'robin' }));
    const keyId = toPlaygroundKeyId(id);
    const late = makeUsageRecord({ keyId, memberId: id, groupName: 'staff' });
    await storeOpenUsage(database, late);
    await database.members.remove(id, 'hash of identity', id);
    await database.members.eraseRemoved(Date.parse('2026-04-01T00:00:00Z'));
    const kept = makeUsageRecord({ keyId: 'key_kept', memberId: others.id });
    await storeUsage(database, [late, kept]);
    const rows = [...(await readAllTables(options)).values()].join();
    expect(rows).not.toContain(id);
    expect(rows).toContain('key_kept');
    expect(await findBalance(database, 'group:staff', '2026-03')).toMatchObject({ tokens: 30 });
    expect(await database.balances.audit()).toEqual([]);
  });
});
