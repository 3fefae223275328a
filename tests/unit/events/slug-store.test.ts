import { expect, test } from 'vitest';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';

describeEachDatabase((createTestDatabase) => {
  test('slugs that events have lost survive a restart', async () => {
    const place = await createTestDatabase();
    const before = await openTestDatabase(place);
    await before.slugs.update(new Map([['lantern-jam', 'recA']]), 1);
    await before.close();
    const database = await openTestDatabase(place);
    const slugs = await database.slugs.update(new Map([['torch-jam', 'recA']]), 2);
    expect(Object.fromEntries(slugs)).toEqual({ 'lantern-jam': 'recA', 'torch-jam': 'recA' });
  });

  test('a slug belongs to the event that was read with it last', async () => {
    const place = await createTestDatabase();
    const [one, two] = [await openTestDatabase(place), await openTestDatabase(place)];
    await one.slugs.update(new Map([['jam', 'recA']]), 1);
    await two.slugs.update(new Map([['jam', 'recB']]), 5);
    await one.slugs.update(new Map([['jam', 'recA']]), 4);
    expect((await two.slugs.update(new Map(), 6)).get('jam')).toBe('recB');
  });
});
