import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type Database, openDatabase } from '#lib/storage/database.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

const key = makeKeyRecord({ owner: makeKeyOwner() });
const budget = parseBudget('5 USD/day');

/** Everything that decides whether a key works, in an order in which each changes something. */
const changes: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'a member signs in': ({ members }) => members.save(makeMember()),
  'a key is made': ({ keys }) => keys.insert(key),
  'a key gets another name': ({ keys }) => keys.update(key.id, { ...key, name: 'phone' }),
  'a key gets a new secret': ({ keys }) =>
    keys.rotate(key.id, { hash: 'new', hint: 'mq_new…', pepperId: null }),
  'a member gets a budget': ({ members }) => members.setBudget('mbr_ada', budget),
  'a group is made': ({ groups }) => groups.create('staff', null),
  'a member joins it': ({ members }) => members.setGroup('mbr_ada', 'staff'),
  'it gets a budget': ({ groups }) => groups.setBudget('staff', budget),
  'it is removed': ({ groups }) => groups.remove('staff'),
  'a member is disabled': ({ members }) => members.setDisabled('mbr_ada', true),
  'a member is enabled': ({ members }) => members.setDisabled('mbr_ada', false),
  'a key is revoked': ({ keys }) => keys.revoke(key.id),
  'a member is removed': ({ members }) => members.remove('mbr_ada'),
};

describeEachDatabase((createTestDatabase) => {
  test('each change of keys and their owners is reported once others can read it', async () => {
    using place = await createTestDatabase();
    const other = await openDatabase(place);
    const seen: number[] = [];
    const onKeysChanged = async () => {
      const { version } = await other.keys.changedSince(0);
      seen.push(version);
    };
    const database = await openDatabase({ ...place, onKeysChanged });
    for (const [name, change] of Object.entries(changes)) {
      const before = seen.length;
      await change(database);
      expect(seen.length, name).toBe(before + 1);
    }
    expect(seen).toEqual(Object.keys(changes).map((_, index) => index + 1));
    await database.keys.list();
    await database.members.find('mbr_ada');
    expect(seen).toHaveLength(13);
    await Promise.all([database.close(), other.close()]);
  });
});
