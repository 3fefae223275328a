import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import {
  createRequestReader,
  type RequestFilter,
  type RequestPlace,
  readRequests,
} from '#lib/spend/store/request-reader.ts';
import { makeRejectedRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeOpenUsage, storeUsage } from '../../../support/store-usage.ts';
import { createTestLog } from '../../../support/test-log.ts';

const at = Date.parse('2026-03-10T12:00:00Z');
const ofAda = { memberId: 'mbr_ada', keyId: 'key_ada' };
const memberId = { memberId: 'mbr_ada' };
type Database = Awaited<ReturnType<typeof openTestDatabase>>;

/** The ids on each page. */
async function listPages(database: Database, filter: RequestFilter, scannedMax?: number) {
  const listRequests = createRequestReader(database.readLong, scannedMax);
  const pages: string[] = [];
  let after: RequestPlace | null = null;
  do {
    const { requests, next } = await listRequests(filter, { after, limit: 3 });
    pages.push(requests.map(({ id }) => id).join(' '));
    after = next;
  } while (after !== null);
  return pages;
}

describeEachDatabase((createTestDatabase) => {
  async function openWithRequests() {
    const database = await openTestDatabase(await createTestDatabase());
    const make = (id: string, overrides: Parameters<typeof makeUsageRecord>[0]) =>
      makeUsageRecord({ id, ...ofAda, ...overrides });
    await storeUsage(database, [
      make('a', { at: at - 86_400_000, model: 'demo/large' }),
      make('b', { at, keyId: 'playground_mbr_ada', session: 'codex-1' }),
      // At the same moment as the one before, on the edge of a page.
      make('c', { at }),
      make('d', { at: at + 1, status: 429, session: 'codex-1' }),
      make('e', { at: at + 2, memberId: 'mbr_robin', keyId: 'key_robin' }),
      make('f', { at: at + 3, memberId: null, keyId: 'key_operator', status: 502 }),
      make('g', { at: at + 4, status: 499 }),
      make('h', { at: Date.parse('2026-03-11T00:00:00Z') }),
    ]);
    await storeOpenUsage(database, make('under-way', { at: at + 5 }));
    return database;
  }

  test('a page has the newest requests that have ended, and the next goes on after them', async () => {
    const database = await openWithRequests();
    expect(await listPages(database, { owner: memberId })).toEqual(['h g d', 'c b a']);
    expect(await listPages(database, { owner: { keyIds: ['key_ada'] } })).toEqual(['h g d', 'c a']);
    expect(await listPages(database, { owner: 'site' })).toEqual(['h g f', 'e d c', 'b a']);
    expect(await listPages(database, { owner: { memberId: 'mbr_new' } })).toEqual(['']);
  });

  test('requests are filtered by day, model, session and status, also together', async () => {
    const database = await openWithRequests();
    const list = async (filter: RequestFilter) => (await listPages(database, filter)).join(' ');
    expect(await list({ owner: memberId, day: '2026-03-10' })).toBe('g d c b');
    expect(await list({ owner: 'site', day: '2026-03-10' })).toBe('g f e d c b');
    expect(await list({ owner: memberId, model: 'demo/large' })).toBe('a');
    expect(await list({ owner: memberId, session: 'codex-1' })).toBe('d b');
    const failed = { from: 400, to: 999 };
    expect(await list({ owner: 'site', statuses: failed })).toBe('g f d');
    const both = { owner: memberId, session: 'codex-1', statuses: failed };
    expect(await list({ ...both, day: '2026-03-10' })).toBe('d');
    expect(await list({ ...both, day: '2026-03-11' })).toBe('');
  });

  test('requests are found by an id that several have, of the keys that are asked for', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const shared = { requestId: 'deploy-2026-03-10' };
    await storeUsage(database, [
      makeUsageRecord({ id: 'laptop', ...ofAda, ...shared, at }),
      makeUsageRecord({ id: 'other', ...ofAda, requestId: 'deploy-2026-03-11', at }),
      makeUsageRecord({ id: 'ci', ...ofAda, keyId: 'key_ci', ...shared, at: at + 1 }),
      makeUsageRecord({ id: 'robin', keyId: 'key_robin', memberId: 'mbr_robin', ...shared, at }),
    ]);
    const rejected = makeRejectedRecord({ id: 'rejected', ...ofAda, ...shared, at: at + 2 });
    const ledger = createLedger({ transactions: database.ledger, log: createTestLog() });
    ledger.reject(rejected);
    await ledger.close();
    const list = (keyIds: string[]) =>
      listPages(database, { owner: { keyIds }, requestId: 'deploy-2026-03-10' }, 1);
    expect(await list(['key_ada', 'key_ci'])).toEqual(['rejected ci laptop']);
    expect(await list(['key_ci'])).toEqual(['ci']);
    const ofSite = { owner: 'site', requestId: 'deploy-2026-03-10' } as const;
    expect(await listPages(database, ofSite)).toEqual(['rejected ci robin', 'laptop']);
  });

  test('the dearest of a day come first, those that cost the same in one order, unknown costs not at all', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const make = (id: string, costUsd: number | null, overrides = {}) =>
      makeUsageRecord({ id, ...ofAda, at, costUsd, ...overrides });
    await storeUsage(database, [
      make('cent', 0.01),
      make('dollar', 1),
      make('free', 0),
      make('same-1', 0.5),
      make('same-2', 0.5),
      make('same-3', 0.5, { model: 'demo/large', at: at - 1 }),
      make('unknown', null),
      make('robin', 2, { memberId: 'mbr_robin', keyId: 'key_robin' }),
      make('day-before', 3, { at: at - 86_400_000 }),
    ]);
    const day = { day: '2026-03-10', isByCost: true };
    expect(await listPages(database, { owner: memberId, ...day })).toEqual([
      'dollar same-3 same-2',
      'same-1 cent free',
    ]);
    expect(await listPages(database, { owner: { keyIds: ['key_ada'] }, ...day })).toEqual([
      'dollar same-3 same-2',
      'same-1 cent free',
    ]);
    const [first] = await listPages(database, { owner: 'site', ...day });
    expect(first).toBe('robin dollar same-3');
    const large = { owner: 'site', model: 'demo/large', ...day } as const;
    expect(await listPages(database, large, 1)).toEqual(['same-3']);
  });

  test('a page looks through a bounded number of requests, and the next goes on from there', async () => {
    const database = await openWithRequests();
    const filter = { owner: memberId, model: 'demo/large' };
    const pages = await listPages(database, filter, 2);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.join('')).toBe('a');
    // All of one moment are looked at, also where the bound is among them.
    expect((await listPages(database, { owner: 'site', session: 'codex-1' }, 1)).join('')).toBe(
      'db',
    );
  });

  test('a download has all of them', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const records = Array.from({ length: 1_100 }, (_, index) =>
      makeUsageRecord({ ...ofAda, at: at + Math.floor(index / 3) }),
    );
    await storeUsage(database, records);
    const ids = new Set<string>();
    const filter = { owner: memberId, statuses: { from: 200, to: 200 } };
    for await (const rows of readRequests(database.usage.listRequests, filter)) {
      for (const { id } of rows) ids.add(id);
    }
    expect(ids).toEqual(new Set(records.map(({ id }) => id)));
  });
});

test('each list is read by its index', async () => {
  const database = await openTestDatabase();
  const plan = (where: string, order: string) =>
    database.readLong(async (db) => {
      const { rows } = await sql<{ detail: string }>`
        explain query plan select * from marquee_usage
        where ${sql.raw(where)} order by ${sql.raw(order)} limit 51`.execute(db);
      return rows.map(({ detail }) => detail).join(' ');
    });
  for (const [where, order, index] of [
    [`member_id = 'm' and lease_until is null`, 'at desc, id desc', 'member_at'],
    [`key_id = 'k' and lease_until is null`, 'at desc, id desc', 'key_at'],
    [`lease_until is null and day <= '2026-03-10'`, 'day desc, at desc, id desc', 'day_at'],
    [`key_id in ('k', 'l') and request_id = 'r'`, 'at desc, id desc', 'request_id'],
    ['status >= 400 and is_counted = 1 and at >= 9', 'at desc', 'failed_at'],
    ['is_counted = 0 and lease_until < 9', 'is_counted', 'uncounted'],
  ] as const) {
    expect(await plan(where, order), where).toContain(`marquee_usage_${index}`);
  }
});
