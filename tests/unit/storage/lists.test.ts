import { expect, test } from 'vitest';
import { readListQuery, toListSearch } from '#lib/accounts/lists/list-query.ts';
import type { Database } from '#lib/database.ts';
import { keyList } from '#lib/keys/store/key-queries.ts';
import { deliveryList } from '#lib/outbox/delivery-list.ts';
import { toPrivateSearch } from '#lib/site/pages/canonical-search.ts';
import { firstPage, type ListStart } from '#lib/storage/lists.ts';
import { makeKeyRecord, makeUsageRecord } from '../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';
import { storeUsage } from '../../support/store-usage.ts';

const now = Date.parse('2026-03-20T12:00:00Z');

/** More than any list has here. */
const pagesMax = 20;

type Options = Readonly<{
  values?: Readonly<Record<string, string>>;
  start?: ListStart;
  limit?: number;
}>;

async function readPage(database: Database, options: Options = {}) {
  const { values = {}, start = firstPage, limit = 50 } = options;
  const query = { ...readListQuery(keyList, values), start, limit };
  const { rows, ...place } = await database.readList(keyList, query, now);
  return { ids: rows.map(({ key }) => key.id), ...place };
}

/** The pages of a list, from the first to the last; and back, by the way to the page before. */
async function readThere(database: Database, options: Options) {
  const pages = [await readPage(database, options)];
  for (let last = pages[0]; last?.after; last = pages.at(-1)) {
    pages.push(await readPage(database, { ...options, start: last.after }));
    if (pages.length > pagesMax) throw new Error('The list has no last page.');
  }
  return pages;
}

async function readBack(database: Database, options: Options, before: ListStart | null) {
  const ids: string[][] = [];
  for (let start = before; start !== null; ) {
    const page = await readPage(database, { ...options, start });
    ids.unshift(page.ids);
    start = page.before;
  }
  return ids;
}

describeEachDatabase((createTestDatabase) => {
  /** Seven keys: most share the values that lists are sorted by, some lack them. */
  async function openFilled() {
    const database = await openTestDatabase(await createTestDatabase());
    const names = ['Zoë', 'zoe, "the 2nd"', '=cmd()', 'łódź', '日本', 'a_b%', "O'Hara\\"];
    for (const [index, name] of names.entries()) {
      const usedAt = index < 3 ? now - 5 : index < 6 ? now : null;
      const createdAt = index === 6 ? now : now - 1_000;
      await database.keys.insert(makeKeyRecord({ id: `key_${index}`, name, usedAt, createdAt }));
    }
    const used = { at: now, costUsd: 0.25 };
    await storeUsage(database, [
      makeUsageRecord({ ...used, keyId: 'key_1' }),
      makeUsageRecord({ ...used, keyId: 'key_4' }),
      makeUsageRecord({ ...used, keyId: 'key_5', costUsd: null }),
      makeUsageRecord({ ...used, keyId: 'key_0', at: Date.parse('2026-02-18T12:00:00Z') }),
    ]);
    return database;
  }

  test('every row is on one page, there and back, whatever the order and the size of pages', async () => {
    const database = await openFilled();
    for (const sort of Object.keys(keyList.sorts)) {
      const values = { sort };
      const { ids: all } = await readPage(database, { values });
      expect(all.toSorted()).toHaveLength(7);
      for (const limit of [1, 2, 3, 6, 7, 8]) {
        const pages = await readThere(database, { values, limit });
        expect(
          pages.flatMap(({ ids }) => ids),
          `${sort} ${limit}`,
        ).toEqual(all);
        expect(pages.every(({ total }) => total === 7)).toBe(true);
        expect(pages).toHaveLength(Math.ceil(7 / limit));
        const back = await readBack(database, { values, limit }, pages.at(-1)?.before ?? null);
        expect(back).toEqual(pages.slice(0, -1).map(({ ids }) => ids));
      }
    }
  });

  test('the order is that of the value, equal ones by id, and what has no value counts as none', async () => {
    const database = await openFilled();
    const sorted = async (sort: string) => (await readPage(database, { values: { sort } })).ids;
    const byNumber = (text: string) => text.split('').map((digit) => `key_${digit}`);
    expect(await sorted('newest')).toEqual(byNumber('6543210'));
    expect(await sorted('used')).toEqual(byNumber('5431206'));
    expect(await sorted('unused')).toEqual(byNumber('6021345'));
    expect(await sorted('cost')).toEqual(byNumber('4165320'));
  });

  test('a search counts and pages what it finds, and characters are only characters', async () => {
    const database = await openFilled();
    const find = async (q: string) => (await readPage(database, { values: { q } })).ids.sort();
    expect(await find('ZO')).toEqual(['key_0', 'key_1']);
    expect(await find('2nd"')).toEqual(['key_1']);
    expect(await find('_b%')).toEqual(['key_5']);
    expect(await find('\\')).toEqual(['key_6']);
    expect(await find('日')).toEqual(['key_4']);
    const pages = await readThere(database, { values: { q: 'key_', sort: 'name' }, limit: 3 });
    expect(pages.map(({ ids, total }) => [ids.length, total])).toEqual([
      [3, 7],
      [3, 7],
      [1, 7],
    ]);
  });

  test('a page that is no more is the first one', async () => {
    const database = await openFilled();
    const [first, second] = await readThere(database, { limit: 3 });
    const cursors = [
      second?.before && 'cursor' in second.before ? second.before.cursor : '',
      '',
      'x',
      toCursor(['newest', 'text', 'key_1']),
      toCursor(['newest', 1e300, 'key_1']),
      toCursor(['newest', 0.5, 'key_1']),
      toCursor(['newest', now, '\0']),
      toCursor(['name', 'b', 'key_1']),
      toCursor(['newest', now]),
      toCursor(null),
    ];
    for (const cursor of cursors) {
      const start = { kind: 'before', cursor } as const;
      expect(await readPage(database, { start, limit: 3 }), cursor).toEqual(first);
    }
    const starts: readonly ListStart[] = [
      { kind: 'after', cursor: toCursor(['newest', 0, 'key_1']) },
      { kind: 'offset', offset: 9 },
    ];
    for (const start of starts) {
      expect(await readPage(database, { start, limit: 3 })).toEqual(first);
    }
  });

  test('a made-up cursor may have any number, whatever the column holds', async () => {
    const database = await openFilled();
    await database.deliveries.add([{ kind: 'ping', target: '@hub', payload: '/feed.xml' }], 0);
    const largest = Number.MAX_SAFE_INTEGER;
    for (const value of [largest, -largest]) {
      const cursor = toCursor(['attempts', value, 'x']);
      for (const kind of ['after', 'before'] as const) {
        const query = readListQuery(deliveryList, { sort: 'attempts', [kind]: cursor });
        expect((await database.readList(deliveryList, query, now)).rows).toHaveLength(1);
      }
    }
  });

  test('the cursor of a long name fits into a URL', async () => {
    const database = await openFilled();
    const name = '\u0001日"'.repeat(100);
    await database.keys.insert(makeKeyRecord({ id: 'key_7', name }));
    await database.keys.insert(makeKeyRecord({ id: 'key_8', name: `${name}日` }));
    const pages = await readThere(database, { values: { sort: 'name' }, limit: 1 });
    expect(pages.flatMap(({ ids }) => ids).toSorted()).toHaveLength(9);
    for (const { after } of pages) {
      const query = readListQuery(keyList, { sort: 'name' });
      const search = toListSearch(keyList, query, after ?? firstPage);
      expect(toPrivateSearch(search)).toBe(search);
    }
  });

  test('a row that is new meanwhile moves no other', async () => {
    const database = await openFilled();
    const [first, second] = await readThere(database, { limit: 3 });
    await database.keys.insert(makeKeyRecord({ id: 'key_7', name: 'new', createdAt: now + 1 }));
    const start = first?.after ?? firstPage;
    expect((await readPage(database, { start, limit: 3 })).ids).toEqual(second?.ids);
  });
});

function toCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
