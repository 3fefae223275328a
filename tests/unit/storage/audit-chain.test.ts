import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/database.ts';
import { createAuditLog } from '#lib/storage/audit-log.ts';
import { createConnection, type DatabaseOptions } from '#lib/storage/connection.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** What somebody does who can write to the database, but not to the log of the server. */
async function tamper(options: DatabaseOptions, ...statements: string[]): Promise<void> {
  const connection = createConnection(options);
  for (const statement of statements) await connection.run((db) => sql.raw(statement).execute(db));
  await connection.close();
}

const createGroups = async ({ groups }: Database, names: readonly string[]) => {
  for (const name of names) await groups.create(name, null, 'mbr_robin');
};
const entry = (position: number) => new RegExp(`^Entry ${position} \\(group\\.created, log_`);

describeEachDatabase((createTestDatabase) => {
  test('an untouched log has no problems, and any hash that was its newest is in it', async () => {
    using options = await createTestDatabase();
    const database = await openDatabase(options);
    expect(await database.auditLog.verify()).toMatchObject({ entries: 0, problems: [] });
    await createGroups(database, ['one', 'two']);
    const noted = await database.auditLog.readHead();
    await createGroups(database, ['three']);
    const report = await database.auditLog.verify(noted.hash);
    expect(report).toMatchObject({ entries: 3, erased: 0, problems: [], head: { position: 3 } });
    await database.close();
  });

  test.for([
    [
      'an entry in the middle is deleted',
      'delete from marquee_audit_log where position = 2',
      'Entry 2 is missing.',
    ],
    [
      'the first ones are deleted',
      'delete from marquee_audit_log where position < 3',
      'Entries 1 to 2 are missing.',
    ],
    [
      'the newest is deleted',
      'delete from marquee_audit_log where position = 4',
      'Entry 4 is missing. Nothing newer is there.',
    ],
    [
      'all are deleted',
      'delete from marquee_audit_log',
      'Entries 1 to 4 are missing. Nothing newer is there.',
    ],
    [
      'another action',
      "update marquee_audit_log set action = 'group.removed' where position = 1",
      /^Entry 1 \(group\.removed, log_.* was changed\.$/,
    ],
    ['another time', 'update marquee_audit_log set at = at + 1 where position = 3', entry(3)],
    [
      'another value',
      "update marquee_audit_log set new_values = '{}' where position = 3",
      entry(3),
    ],
    [
      'another actor',
      "update marquee_audit_log set actor_id = 'mbr_ada' where position = 3",
      entry(3),
    ],
    ['no actor', 'update marquee_audit_log set actor_id = null where position = 3', entry(3)],
    [
      'an actor who looks erased',
      "update marquee_audit_log set actor_id = 'deleted' where position = 3",
      entry(3),
    ],
    [
      'another digest',
      "update marquee_audit_log set digests = replace(digests, '.', '.0') where position = 3",
      entry(3),
    ],
    [
      'digests that are none',
      "update marquee_audit_log set digests = 'null' where position = 3",
      entry(3),
    ],
    [
      'an anchor in the middle',
      "update marquee_audit_log set action = 'log.pruned' where position = 3",
      /^Entry 3 /,
    ],
  ] as const)('verify finds it: %s', async ([, statement, problem]) => {
    using options = await createTestDatabase();
    const database = await openDatabase(options);
    await createGroups(database, ['one', 'two', 'three', 'four']);
    await tamper(options, statement);
    const { problems } = await database.auditLog.verify();
    expect(problems).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
    await database.close();
  });

  test('a hash from the log shows that the newest entries were cut off and the rest made to fit', async () => {
    using options = await createTestDatabase();
    const database = await openDatabase(options);
    await createGroups(database, ['one', 'two', 'three']);
    const noted = await database.auditLog.readHead();
    await tamper(
      options,
      'delete from marquee_audit_log where position > 1',
      'update marquee_audit_head set position = 1, hash = (select hash from marquee_audit_log)',
    );
    await createGroups(database, ['four', 'five']);
    expect((await database.auditLog.verify()).problems).toEqual([]);
    expect((await database.auditLog.verify(noted.hash)).problems).toEqual([
      `No entry has the hash ${noted.hash}: entries were changed or deleted after it was noted, or it is older than the first entry.`,
    ]);
    await database.close();
  });

  test('an entry whose own hash was made to fit betrays itself by the next one', async () => {
    using options = await createTestDatabase();
    const database = await openDatabase(options);
    await createGroups(database, ['one', 'two', 'three']);
    await tamper(
      options,
      `update marquee_audit_log set hash = '${hash('sha256', 'forged')}' where position = 2`,
    );
    const { problems } = await database.auditLog.verify();
    expect(problems).toEqual([
      expect.stringMatching(entry(2)),
      expect.stringMatching(/^Entry 3 .* was changed, or entry 2 with its hash\.$/),
    ]);
    await database.close();
  });

  test('instances that write at once make one chain', async () => {
    using options = await createTestDatabase();
    const databases = await Promise.all([openDatabase(options), openDatabase(options)]);
    await Promise.all(
      databases.map(async (database, instance) => {
        for (let round = 0; round < 20; round += 1) {
          await database.groups.create(`${instance}-${round}`, null);
        }
      }),
    );
    const report = await databases[0].auditLog.verify();
    expect(report).toMatchObject({ entries: 40, problems: [], head: { position: 40 } });
    for (const database of databases) await database.close();
  });

  test('pruning leaves an anchor: the rest is still one chain, and says from when on', async () => {
    using options = await createTestDatabase();
    const clock = createFakeClock();
    const database = await openDatabase({ ...options, now: clock.now });
    await createGroups(database, ['one', 'two']);
    const pruned = await database.auditLog.readHead();
    clock.move(2 * 86_400_000);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await createGroups(database, ['three', 'four']);
    for (const count of [2, 0]) expect(await database.auditLog.prune(day)).toBe(count);
    const known = await database.auditLog.verify(pruned.hash);
    expect(known).toMatchObject({ entries: 2, prunedBefore: day, problems: [] });
    expect((await database.auditLog.list({}, { limit: 9, offset: 0 })).total).toBe(2);
    await tamper(options, 'delete from marquee_audit_log where position = 3');
    expect((await database.auditLog.verify()).problems).toEqual(['Entry 3 is missing.']);
    for (const count of [1, 0]) expect(await database.auditLog.prune('2999-01-01')).toBe(count);
    expect(await database.auditLog.verify()).toMatchObject({ entries: 0, problems: [] });
    await createGroups(database, ['five']);
    expect(await database.auditLog.verify()).toMatchObject({ entries: 1, problems: [] });
    await database.close();
  });
});

test('pruning while the log is verified is no gap in it', async () => {
  const options = { databaseUrl: null, dataDir: makeTestFolder() };
  const clock = createFakeClock();
  const database = await openDatabase({ ...options, now: clock.now });
  // More than are read at a time.
  await createGroups(
    database,
    Array.from({ length: 1_500 }, (_, index) => `group ${index}`),
  );
  clock.move(2 * 86_400_000);
  await createGroups(database, ['new']);
  const { run, close } = createConnection(options);
  let isPruned = false;
  const log = createAuditLog(async (query) => {
    const result = await run(query);
    // The first page of rows.
    if (Array.isArray(result) && !isPruned) {
      isPruned = true;
      while ((await database.auditLog.prune('2026-03-11')) > 0);
    }
    return result;
  });
  expect(await log.verify()).toMatchObject({
    entries: 1,
    prunedBefore: '2026-03-11',
    problems: [],
  });
  await close();
  await database.close();
});
