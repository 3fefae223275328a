import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

describeEachDatabase((createTestDatabase) => {
  test('slugs that events have lost survive a restart', async () => {
    using place = await createTestDatabase();
    const before = await openDatabase(place);
    await before.slugs.update(new Map([['lantern-jam', 'recA']]), 1);
    await before.close();
    const database = await openDatabase(place);
    const slugs = await database.slugs.update(new Map([['torch-jam', 'recA']]), 2);
    expect(Object.fromEntries(slugs)).toEqual({ 'lantern-jam': 'recA', 'torch-jam': 'recA' });
    await database.close();
  });

  test('a slug belongs to the event that was read with it last', async () => {
    using place = await createTestDatabase();
    const [one, two] = [await openDatabase(place), await openDatabase(place)];
    await one.slugs.update(new Map([['jam', 'recA']]), 1);
    await two.slugs.update(new Map([['jam', 'recB']]), 5);
    await one.slugs.update(new Map([['jam', 'recA']]), 4);
    expect((await two.slugs.update(new Map(), 6)).get('jam')).toBe('recB');
    await Promise.all([one.close(), two.close()]);
  });
});
