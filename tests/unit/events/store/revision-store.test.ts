import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { describeEachDatabase } from '../../../support/servers/each-database.ts';

describeEachDatabase((createTestDatabase) => {
  test('a revision rises with every change, and survives a restart', async () => {
    using place = await createTestDatabase();
    {
      const database = await openDatabase(place);
      const first = new Map([
        ['recA', 'a1'],
        ['recB', 'b1'],
      ]);
      expect(await database.revisions.update(first, 1)).toEqual(
        new Map([
          ['recA', 0],
          ['recB', 0],
        ]),
      );
      const changed = new Map([...first, ['recA', 'a2']]);
      expect((await database.revisions.update(changed, 2)).get('recA')).toBe(1);
      await database.close();
    }
    const database = await openDatabase(place);
    const revisions = await database.revisions.update(new Map([['recA', 'a3']]), 3);
    expect(Object.fromEntries(revisions)).toEqual({ recA: 2, recB: 0 });
    await database.close();
  });

  test('instances that store the same change agree, and an older read changes nothing', async () => {
    using place = await createTestDatabase();
    const [one, two] = [await openDatabase(place), await openDatabase(place)];
    await one.revisions.update(new Map([['recA', 'a1']]), 1);
    const change = new Map([['recA', 'a2']]);
    const both = await Promise.all([one, two].map((each) => each.revisions.update(change, 5)));
    expect(both.map((revisions) => revisions.get('recA'))).toEqual([1, 1]);
    expect((await two.revisions.update(new Map([['recA', 'a1']]), 4)).get('recA')).toBe(1);
    expect((await one.revisions.update(change, 6)).get('recA')).toBe(1);
    await Promise.all([one.close(), two.close()]);
  });

  test('ten thousand events are stored and counted', async () => {
    using place = await createTestDatabase();
    const database = await openDatabase(place);
    const toMap = (text: string) =>
      new Map(Array.from({ length: 10_000 }, (_, index) => [`rec${index}`, text]));
    await database.revisions.update(toMap('a'), 1);
    const revisions = await database.revisions.update(toMap('b'), 2);
    expect(revisions.size).toBe(10_000);
    expect(new Set(revisions.values())).toEqual(new Set([1]));
    await database.close();
  });
});
