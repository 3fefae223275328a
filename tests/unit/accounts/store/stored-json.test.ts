import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noBudget } from '#lib/config/budget.ts';
import type { Database } from '#lib/database.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import {
  chatPath,
  startInProcessProxy,
  toRequestJson,
} from '../../../support/servers/in-process-proxy.ts';

const nothing = Object.fromEntries(Object.keys(noBudget).map((field) => [field, 0]));

/** Writes a text into a column of all rows of tables. */
async function overwrite(
  { run }: Pick<Database, 'run'>,
  tables: readonly string[],
  column: string,
  text: string,
): Promise<void> {
  for (const table of tables) {
    await run((db) => sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}`.execute(db));
  }
}

/** A member with a key and a group. */
async function openWithMember(): Promise<Database> {
  const database = await openTestDatabase();
  const { id } = await database.members.save(makeMember());
  await database.groups.create('staff', noBudget);
  await database.members.setGroup(id, 'staff');
  await database.keys.insert(makeKeyRecord({ owner: makeKeyOwner({ id }), models: ['demo/*'] }));
  return database;
}

const budgetTables = ['marquee_keys', 'marquee_members', 'marquee_groups'];

test('a budget of an older version has no bound where it lacks a field', async () => {
  const database = await openWithMember();
  await overwrite(database, budgetTables, 'budget', '{"tokensPerDay":100}');
  const budget = { ...noBudget, tokensPerDay: 100 };
  const [key] = await database.keys.list();
  expect(key).toMatchObject({ budget, owner: { budget, group: { budget } } });
  expect(await database.groups.list()).toMatchObject([{ budget }]);
});

test.for([
  '',
  '{',
  'null',
  '[]',
  '7',
  '{"tokensPerDay":"100"}',
  '{"nanoUsdPerDay":-1}',
  '{"tokensPerDay":0.5}',
])('a budget that cannot be read, such as %j, allows nothing', async (text) => {
  const database = await openWithMember();
  await overwrite(database, budgetTables, 'budget', text);
  const [key] = await database.keys.list();
  const owner = { budget: nothing, group: { budget: nothing } };
  expect(key).toMatchObject({ budget: nothing, owner });
  expect(await database.groups.list()).toMatchObject([{ budget: nothing }]);
});

test.for(['', '{', 'null', '7', '{"0":"demo/*"}', '["demo/*",7]'])(
  'a list of models that cannot be read, such as %j, has none',
  async (text) => {
    const database = await openWithMember();
    await overwrite(database, ['marquee_keys'], 'models', text);
    expect(await database.keys.list()).toMatchObject([{ models: [] }]);
  },
);

test.for(['', '{', 'null', '7', '[]', '{"groups":"admins"}', '{"groups":[7]}'])(
  'claims that cannot be read, such as %j, are none',
  async (text) => {
    const database = await openWithMember();
    await overwrite(database, ['marquee_members'], 'claims', text);
    const [key] = await database.keys.list();
    expect(key?.owner).toMatchObject({ claims: {}, isDisabled: false });
    expect(await database.members.find(key?.owner?.id ?? '')).toMatchObject({ claims: {} });
  },
);

test.for(['', '{', 'null', '7', '{"0":"event.*"}', '[7]'])(
  'a webhook whose types cannot be read, such as %j, gets nothing',
  async (text) => {
    const database = await openTestDatabase();
    await database.webhooks.create({
      name: 'Hook',
      url: 'https://hooks.example/',
      types: ['event.*'],
      filter: '',
      seed: { salt: 'salt', pepperId: 'pepper' },
    });
    await overwrite(database, ['marquee_webhooks'], 'types', text);
    expect(await database.webhooks.list()).toMatchObject([{ types: [] }]);
  },
);

test('a request is bounded by the fields that a stored budget has; one that cannot be read gives 402', async () => {
  await using proxy = await startInProcessProxy();
  const request = toRequestJson(chatPath, 'lantern-demo/wick-3-mini');
  const send = async (budget: string) => {
    const { text, record } = await proxy.makeKey();
    await proxy.database.run((db) =>
      db.updateTable('marquee_keys').set({ budget }).where('id', '=', record.id).execute(),
    );
    const response = await proxy.post(chatPath, text, request);
    await response.arrayBuffer();
    return response.status;
  };
  expect(await send('{"tokensPerDay":100000}')).toBe(200);
  expect(await send('{"tokensPerDay":1}')).toBe(402);
  expect(await send('{"nanoUsdPerMonth":1000000000}')).toBe(200);
  expect(await send('{"nanoUsdPerMonth":1}')).toBe(402);
  expect(await send('{')).toBe(402);
});
