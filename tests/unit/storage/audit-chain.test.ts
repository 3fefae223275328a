import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import { createAuditLog } from '#lib/storage/audit-log.ts';
import { createConnection, type DatabaseOptions } from '#lib/storage/connection.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';
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
const remove = (which: string) => `delete from marquee_audit_log where ${which}`;
const change = (what: string) => `update marquee_audit_log set ${what} where position = 3`;
const entry = (position: number) => new RegExp(`^Entry ${position} \\(group\\.created, log_`);

/** What somebody does to a log of four entries, and the one problem that is found. */
const damages = [
  ['an entry in the middle is deleted', remove('position = 2'), /^Entry 2 is missing\.$/],
  ['the first ones are deleted', remove('position < 3'), /^Entries 1 to 2 are missing\.$/],
  [
    'the newest is deleted',
    remove('position = 4'),
    /^Entry 4 is missing\. Nothing newer is there\.$/,
  ],
  ['all are deleted', remove('true'), /^Entries 1 to 4 are missing\. Nothing newer is there\.$/],
  ['another action', change("action = 'group.removed'"), /^Entry 3 \(group\.removed, log_/],
  ['another time', change('at = at + 1'), entry(3)],
  ['another value', change("new_values = '{}'"), entry(3)],
  ['another actor', change("actor_id = 'mbr_ada'"), entry(3)],
  ['no actor', change('actor_id = null'), entry(3)],
  ['an actor who looks erased', change("actor_id = 'deleted'"), entry(3)],
  ['another digest', change("digests = replace(digests, '.', '.0')"), entry(3)],
  ['digests that are none', change("digests = 'null'"), entry(3)],
  ['an anchor in the middle', change("action = 'log.pruned'"), /^Entry 3 /],
] as const;

describeEachDatabase((createTestDatabase) => {
  test('an untouched log has no problems, and any hash that was its newest is in it', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    expect(await database.auditLog.verify()).toMatchObject({ entries: 0, problems: [] });
    await createGroups(database, ['one', 'two']);
    const noted = await database.auditLog.readHead();
    await createGroups(database, ['three']);
    const report = await database.auditLog.verify(noted.hash);
    expect(report).toMatchObject({ entries: 3, erased: 0, problems: [], head: { position: 3 } });
  });

  // ASVS 11.4.3, 16.4.2
  test('verify finds each change and deletion', async () => {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    await createGroups(database, ['one', 'two', 'three', 'four']);
    await tamper(options, 'create table untouched as select * from marquee_audit_log');
    for (const [what, statement, problem] of damages) {
      await tamper(options, statement);
      const { problems } = await database.auditLog.verify();
      expect({ what, problems }).toEqual({ what, problems: [expect.stringMatching(problem)] });
      await tamper(
        options,
        remove('true'),
        'insert into marquee_audit_log select * from untouched',
      );
      expect((await database.auditLog.verify()).problems).toEqual([]);
    }
    await tamper(options, 'drop table untouched');
  });

  test('a hash from the log shows that the newest entries were cut off and the rest made to fit', async () => {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
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
  });

  test('an entry whose own hash was made to fit betrays itself by the next one', async () => {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
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
  });

  test('instances that write at once make one chain', async () => {
    const options = await createTestDatabase();
    const databases = await Promise.all([openTestDatabase(options), openTestDatabase(options)]);
    await Promise.all(
      databases.map(async (database, instance) => {
        for (let round = 0; round < 20; round += 1) {
          await database.groups.create(`${instance}-${round}`, null);
        }
      }),
    );
    const report = await databases[0].auditLog.verify();
    expect(report).toMatchObject({ entries: 40, problems: [], head: { position: 40 } });
  });

  test('pruning leaves an anchor: the rest is still one chain, and says from when on', async () => {
    const clock = createFakeClock();
    const options = { ...(await createTestDatabase()), now: clock.now };
    const database = await openTestDatabase(options);
    await createGroups(database, ['one', 'two']);
    const pruned = await database.auditLog.readHead();
    clock.move(2 * 86_400_000);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await createGroups(database, ['three', 'four']);
    for (const count of [2, 0]) expect(await database.auditLog.prune(day)).toBe(count);
    const known = await database.auditLog.verify(pruned.hash);
    expect(known).toMatchObject({ entries: 2, prunedBefore: day, problems: [] });
    expect(await readAuditLog(database)).toHaveLength(2);
    await tamper(options, 'delete from marquee_audit_log where position = 3');
    expect((await database.auditLog.verify()).problems).toEqual(['Entry 3 is missing.']);
    for (const count of [1, 0]) expect(await database.auditLog.prune('2999-01-01')).toBe(count);
    expect(await database.auditLog.verify()).toMatchObject({ entries: 0, problems: [] });
    await createGroups(database, ['five']);
    expect(await database.auditLog.verify()).toMatchObject({ entries: 1, problems: [] });
  });
});

test('pruning while the log is verified is no gap in it', async () => {
  const options = { databaseUrl: null, dataDir: makeTestFolder() };
  const clock = createFakeClock();
  const database = await openTestDatabase({ ...options, now: clock.now });
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
});
