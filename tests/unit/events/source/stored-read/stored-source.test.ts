import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import type { EventDraft, ToPicture } from '#lib/events/model/schema.ts';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { createEventsLoader } from '#lib/events/source/loader.ts';
import type { EventsRead, TableSource } from '#lib/events/source/source.ts';
import { pack, toParts } from '#lib/events/source/stored-read/parts.ts';
import { isClaimed } from '#lib/events/source/stored-read/read-state.ts';
import type { ReadStore } from '#lib/events/source/stored-read/read-store.ts';
import { createStoredSource } from '#lib/events/source/stored-read/stored-source.ts';
import { createTableWatcher } from '#lib/events/source/stored-read/table-watcher.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeDraft, makeDrafts } from '../../../../support/factories/draft-factory.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { setUpOwnPostgres } from '../../../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { createTestLog } from '../../../../support/test-log.ts';

/** A table that counts how often it is read, and that a test changes. */
function makeTable(drafts: readonly EventDraft[] = makeDrafts(3)) {
  let gate: Promise<void> | null = null;
  const table = {
    reads: 0,
    isDown: false,
    drafts,
    source: { read } satisfies TableSource,
    /** The next read ends when the returned function is called. */
    pauseNextRead() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
  async function read(): Promise<EventsRead> {
    table.reads += 1;
    const found = {
      drafts: table.drafts,
      rows: table.drafts.length + 1,
      signedUrls: new Map(
        table.drafts.map(({ id }) => [
          id,
          { logo: `https://files.example/${id}?signed`, background: null },
        ]),
      ),
      repairs: { 'leftOut.no_name': 1 },
      problems: [
        {
          column: 'Name',
          done: 'left out',
          reason: 'no_name',
          count: 1,
          rows: [{ recordId: 'rec1', value: 'ü\n' }],
        } as const,
      ],
    };
    const { isDown } = table;
    const pause = gate;
    gate = null;
    await pause;
    if (isDown) throw createApiError('upstream_error', { message: 'No.', reason: 'timeout' });
    return found;
  }
  return table;
}

type InstanceOptions = Readonly<{
  toPicture?: ToPicture;
  leaseMs?: number;
  /** Replaces some methods of its store. */
  change?: (store: ReadStore) => Partial<ReadStore>;
  name?: string;
}>;

/** A table, and `start`, which starts a process with a connection, source and loader of its own. */
async function setUp(place: DatabaseOptions | Promise<DatabaseOptions>, drafts?: EventDraft[]) {
  const table = makeTable(drafts);
  const databaseOptions = await place;
  const start = (options: InstanceOptions = {}) => startInstance(databaseOptions, table, options);
  return { table, start };
}

async function startInstance(
  databaseOptions: DatabaseOptions,
  table: ReturnType<typeof makeTable>,
  options: InstanceOptions,
) {
  const { toPicture = () => null, leaseMs, change = () => ({}), name = 'events' } = options;
  const database = await openTestDatabase(databaseOptions);
  const opened = database.tableReads(name);
  const store = { ...opened, ...change(opened) };
  const log = createTestLog();
  const shutdown = new AbortController();
  const source = createStoredSource(table.source, {
    store,
    now: Date.now,
    signal: shutdown.signal,
    log,
    toPicture,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  const events = createEventsLoader({
    source,
    timeZone: createTimeZone('UTC'),
    now: Date.now,
    cacheSeconds: 240,
    log,
  });
  return { database, store, source, events, log, shutdown };
}

type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Reads, and waits until the read is stored. */
async function readAndStore({ events, source }: Instance) {
  const snapshot = await events.current();
  await source.close();
  return snapshot;
}

/** Makes what is stored older. */
function age(database: Database, ms: number): Promise<unknown> {
  return database.run((db) =>
    sql`update marquee_table_reads set read_at = read_at - ${ms}, reader_read_at = reader_read_at - ${ms}`.execute(
      db,
    ),
  );
}

const refreshNow = { ageMaxMs: 0 };

describeEachDatabase((createTestDatabase) => {
  test('two instances read the table once, and have the same events, problems and read time', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const [reader, follower] = [await start(), await start()];
    const [first, second] = [await reader.events.current(), await follower.events.current()];
    expect(table.reads).toBe(1);
    expect(second.events).toEqual(first.events);
    expect(second.signedUrls).toEqual(first.signedUrls);
    expect(second.signedUrls.size).toBe(3);
    expect(second.readAtMs).toBe(first.readAtMs);
    expect(second.version).toBe(first.version);
    expect(follower.events.status()).toEqual(reader.events.status());
    expect(follower.events.status().lastRead?.problems).toHaveLength(1);
  });

  test('of instances that start at once, one reads', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instances = await Promise.all(Array.from({ length: 5 }, () => start()));
    const snapshots = await Promise.all(instances.map(({ events }) => events.current()));
    expect(table.reads).toBe(1);
    expect(new Set(snapshots.map(({ readAtMs }) => readAtMs)).size).toBe(1);
  });

  test('a start 299 seconds after a read serves it without the table, then reads; one at 300 seconds reads', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const first = await start();
    await readAndStore(first);
    await age(first.database, 299_000);
    const resume = table.pauseNextRead();
    const second = await start();
    const stored = await second.events.current();
    expect(stored.events).toHaveLength(3);
    expect(Date.now() - stored.readAtMs).toBeGreaterThanOrEqual(299_000);
    await expect.poll(() => table.reads).toBe(2);
    resume();
    await expect
      .poll(async () => (await second.events.current()).readAtMs)
      .not.toBe(stored.readAtMs);
    await second.source.close();

    await age(first.database, 300_000);
    const third = await start();
    const read = await third.events.current();
    expect(table.reads).toBe(3);
    expect(Date.now() - read.readAtMs).toBeLessThan(100_000);
  });

  test('a failing table is an error in both instances, and the next request succeeds', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const [first, second] = [await start(), await start()];
    table.isDown = true;
    await expect(first.events.current()).rejects.toThrow('No.');
    await expect(second.events.current()).rejects.toThrow('No.');
    table.isDown = false;
    expect((await second.events.current()).events).toHaveLength(3);
    expect((await first.events.current()).events).toHaveLength(3);
    expect(table.reads).toBe(3);
  });

  test('while the database is away, each instance reads the table itself', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instances = [await start(), await start()];
    for (const instance of instances) {
      await instance.database.close();
      expect((await instance.events.current()).events).toHaveLength(3);
    }
    expect(table.reads).toBe(2);
  });

  test('events stay the same on their way through the database, whatever their texts contain', async () => {
    const drafts = fc
      .sample(hostileText, 100)
      .map((text, index) =>
        makeDraft({ id: `rec${index}`, name: `n ${index}`, description: text, requirements: text }),
      );
    const { table, start } = await setUp(createTestDatabase(), drafts);
    const first = await readAndStore(await start());
    const second = await (await start()).events.current();
    expect(table.reads).toBe(1);
    expect(second.events).toEqual(first.events);
    expect(second.signedUrls).toEqual(first.signedUrls);
    expect(second.signedUrls.size).toBe(100);
  });

  test('a process stores what it has read before it reads again, also if its lease has expired', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const { promise: mayPublish, resolve: publish } = Promise.withResolvers<void>();
    const { source, store } = await start({
      leaseMs: 1,
      change: (store) => ({
        renew: async () => {},
        publish: (...read) => mayPublish.then(() => store.publish(...read)),
      }),
    });
    await source.read({ ageMaxMs: 0 });
    const resume = table.pauseNextRead();
    const next = source.read({ ageMaxMs: 0 });
    await expect.poll(async () => isClaimed(await store.find())).toBe(false);
    expect(table.reads).toBe(1);
    publish();
    await expect.poll(() => table.reads).toBe(2);
    expect((await store.find()).number).toBe(1);
    resume();
    await next;
  });

  test('a reader that was frozen past its claim does not replace the newer read', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const frozen = await start({
      leaseMs: 200,
      change: () => ({ renew: async () => {} }),
    });
    const resume = table.pauseNextRead();
    const slow = frozen.events.current();
    await expect.poll(() => table.reads).toBe(1);
    table.drafts = makeDrafts(4);
    const other = await start();
    expect((await readAndStore(other)).events).toHaveLength(4);
    resume();
    expect((await slow).events).toHaveLength(3);
    await frozen.source.close();
    const third = await start();
    expect((await third.events.current()).events).toHaveLength(4);
    expect(table.reads).toBe(2);
    // It follows, as all do.
    expect((await frozen.events.refresh({ ageMaxMs: 60_000 })).events).toHaveLength(4);
  });

  test('a reader that is killed between two parts leaves the read before it', async () => {
    const { table, start } = await setUp(createTestDatabase(), makeDrafts(1_000));
    await readAndStore(await start());
    table.drafts = makeDrafts(1_000, (index) => ({ name: `Other ${index}` }));
    let parts = 0;
    const killed = await start({
      leaseMs: 200,
      change: ({ writePart }) => ({
        renew: async () => {},
        writePart: (hash, content) =>
          ++parts > 3 ? new Promise<never>(() => {}) : writePart(hash, content),
      }),
    });
    await killed.events.refresh(refreshNow);
    await expect.poll(() => parts).toBe(4);
    const other = await start();
    expect((await other.events.current()).events[0]?.name).toBe('Event number 0');
    expect(table.reads).toBe(2);
    // The next reader does not write again what is there.
    const written: string[] = [];
    const next = await start({ change: collectParts(written) });
    await next.events.refresh(refreshNow);
    await next.source.close();
    const stored = await next.database.run((db) =>
      db.selectFrom('marquee_table_parts').select('hash').execute(),
    );
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual(stored.length - 3);
    await expect
      .poll(async () => (await other.events.refresh({ ageMaxMs: 60_000 })).events[0]?.name)
      .toBe('Other 0');
  });

  test.for([
    ['changed', `update marquee_table_parts set content = 'garbage'`],
    ['missing', 'delete from marquee_table_parts'],
    ['not those of the read', `update marquee_table_reads set parts = 'none'`],
  ])(
    'if parts are %s the table is read, with one line in the log, and stored anew',
    async ([, damage = '']) => {
      const { table, start } = await setUp(createTestDatabase());
      await readAndStore(await start());
      const other = await start();
      await other.database.run((db) => sql.raw(damage).execute(db));
      expect((await other.events.current()).events).toHaveLength(3);
      expect(table.reads).toBe(2);
      expect(other.log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
        { message: 'the stored read of the table is damaged: it is read again' },
      ]);
      await other.events.refresh(refreshNow);
      await other.source.close();
      const third = await start();
      expect((await third.events.current()).events).toHaveLength(3);
      expect(table.reads).toBe(3);
    },
  );

  test('after an edit of one row, few parts are written again', async () => {
    const { table, start } = await setUp(createTestDatabase(), makeDrafts(3_000));
    const written: string[] = [];
    const instance = await start({ change: collectParts(written) });
    await readAndStore(instance);
    expect(written.length).toBeGreaterThan(20);
    written.length = 0;
    table.drafts = makeDrafts(3_000, (index) => (index === 1_000 ? { name: 'Edited' } : {}));
    await instance.events.refresh(refreshNow);
    await instance.source.close();
    expect(written).toHaveLength(1);
    const rows = await instance.database.run((db) =>
      db.selectFrom('marquee_table_reads').select('parts').execute(),
    );
    const parts = await instance.database.run((db) =>
      db.selectFrom('marquee_table_parts').select('hash').execute(),
    );
    // None is left over.
    expect(parts.map(({ hash }) => hash).sort()).toEqual(rows[0]?.parts.split(' ').sort());
  });

  test('what was stored under other names is deleted once it is an hour old', async () => {
    const { start } = await setUp(createTestDatabase());
    const old = await start({ name: 'of older settings' });
    await readAndStore(old);
    await age(old.database, 3_600_001);
    await old.database.run((db) =>
      db.updateTable('marquee_table_reads').set({ claimed_until: 0 }).execute(),
    );
    await readAndStore(await start({ name: 'of other settings' }));
    await readAndStore(await start({ name: 'of present settings' }));
    const names = async (from: 'marquee_table_reads' | 'marquee_table_parts') => {
      const rows = await old.database.run((db) => db.selectFrom(from).select('name').execute());
      return [...new Set(rows.map(({ name }) => name))].sort();
    };
    for (const from of ['marquee_table_reads', 'marquee_table_parts'] as const) {
      expect(await names(from)).toEqual(['of other settings', 'of present settings']);
    }
  });

  test('a reader that is told to stop lets another one read at once', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const stopped = await start();
    const resume = table.pauseNextRead();
    const slow = stopped.events.current();
    await expect.poll(() => table.reads).toBe(1);
    const other = await start();
    const waiting = other.events.current();
    stopped.shutdown.abort();
    expect((await waiting).events).toHaveLength(3);
    expect(table.reads).toBe(2);
    resume();
    await slow;
  });

  test('what the reader knows of pictures is in the content of all instances, and stays known', async () => {
    const { table, start } = await setUp(createTestDatabase(), withPicture);
    const [reader, follower] = [
      await start({ toPicture: toPicture('known') }),
      await start({ toPicture: toPicture(null) }),
    ];
    const [first, second] = [await readAndStore(reader), await follower.events.current()];
    expect(first.events[0]?.pictures.logo?.thumbHash).toBe('known');
    expect(second.events).toEqual(first.events);
    expect(second.version).toBe(first.version);
    const third = await follower.events.refresh(refreshNow);
    expect(table.reads).toBe(2);
    expect(third.version).toBe(first.version);
  });

  const head = { events: 1, rows: 1, repairs: {}, problems: [] };

  test('fields of a newer version are no reason to read the table again', async () => {
    const { table, start } = await setUp(createTestDatabase(), []);
    const instance = await start();
    await publish(instance.store, [
      { ...head, new: 1 },
      { draft: { ...withPicture[0], newField: [] }, pictures: [], new: 1 },
    ]);
    const { drafts } = await instance.source.read({ ageMaxMs: 60_000 });
    expect(drafts).toEqual(withPicture);
    expect(table.reads).toBe(0);
  });

  test.for([
    [['no object']],
    [[head]],
    [[head, { id: 'rec1' }]],
    [[head, { draft: { id: 'rec1' }, pictures: [] }]],
    [[{ ...head, events: 0, repairs: { a: 'b' } }]],
  ])('a read that is written in another way is ignored: %j', async ([lines = []]) => {
    const { table, start } = await setUp(createTestDatabase());
    const instance = await start();
    await publish(instance.store, lines);
    expect((await instance.events.current()).events).toHaveLength(3);
    expect(table.reads).toBe(1);
    expect(await instance.store.find()).toMatchObject({ number: 1 });
  });

  async function expectFiveEvents(instances: readonly Instance[]): Promise<void> {
    for (const { events } of instances) {
      await expect.poll(() => events.peek()?.events.length).toBe(5);
    }
  }

  /** A watcher for each instance. */
  function watch({ store, source, events, log }: Instance, hasSubscribers = false) {
    const watcher = createTableWatcher({
      store,
      source,
      events,
      hasSubscribers: async () => hasSubscribers,
      log,
    });
    onTestFinished(watcher.close);
    return watcher;
  }

  test('a call of the hook is one read, which all instances follow', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instances = await Promise.all(Array.from({ length: 4 }, () => start()));
    for (const { events } of instances) await events.current();
    const [watcher] = instances.map((instance) => watch(instance));
    table.drafts = makeDrafts(5);
    await watcher?.markCalled();
    await expectFiveEvents(instances);
    expect(new Set(instances.map(({ events }) => events.peek()?.readAtMs)).size).toBe(1);
    expect(table.reads).toBe(2);
  });

  test('a call that comes during a read causes another one after a pause', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instance = await start();
    await instance.events.current();
    const watcher = watch(instance);
    const resume = table.pauseNextRead();
    await watcher.markCalled();
    await expect.poll(() => table.reads).toBe(2);
    table.drafts = makeDrafts(5);
    await watcher.markCalled();
    resume();
    await expectFiveEvents([instance]);
    expect(table.reads).toBe(3);
  });

  test('a call whose read failed is served after the pause, by one of the instances', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instances = await Promise.all(Array.from({ length: 3 }, () => start()));
    for (const { events } of instances) await events.current();
    const [watcher] = instances.map((instance) => watch(instance));
    table.isDown = true;
    await watcher?.markCalled();
    await expect.poll(() => table.reads).toBe(2);
    table.isDown = false;
    table.drafts = makeDrafts(5);
    await expectFiveEvents(instances);
    expect(table.reads).toBe(3);
  });

  test('while somebody waits for changes, the table is read once it is time, by one of the instances', async () => {
    const { table, start } = await setUp(createTestDatabase());
    const instances = await Promise.all(Array.from({ length: 3 }, () => start()));
    for (const instance of instances) await readAndStore(instance);
    for (const instance of instances) watch(instance, true);
    table.drafts = makeDrafts(5);
    await age(instances[0]?.database as Database, 228_000);
    await expectFiveEvents(instances);
    expect(table.reads).toBe(2);
  });

  test('the pause after a 429 is that of all instances', async () => {
    const { start } = await setUp(createTestDatabase());
    const [first, second] = [await start(), await start()];
    await first.store.block(30_000);
    await second.store.block(10_000);
    const { blockedUntilMs, nowMs } = await second.store.find();
    expect(blockedUntilMs - nowMs).toBeGreaterThan(15_000);
    expect(blockedUntilMs - nowMs).toBeLessThanOrEqual(30_000);
  });
});

test('if the database is full, events are served and the read before stays', async () => {
  const { table, start } = await setUp({ databaseUrl: null, dataDir: makeTestFolder() });
  const instance = await start();
  await readAndStore(instance);
  await instance.database.run((db) => sql`pragma max_page_count = 1`.execute(db));
  table.drafts = makeDrafts(2_000, () => ({ description: randomBytes(400).toString('hex') }));
  expect((await instance.events.refresh(refreshNow)).events).toHaveLength(2_000);
  await instance.source.close();
  expect(instance.log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { fields: { code: 'SQLITE_13' }, message: 'the read of the table could not be stored' },
  ]);
  const other = await start();
  expect((await other.events.current()).events).toHaveLength(3);
  expect(table.reads).toBe(2);
});

describe('a server that stops', () => {
  const postgres = setUpOwnPostgres();

  test('reads are not shared until it is back, then they are again', async () => {
    const { table, start } = await setUp({
      databaseUrl: await postgres.createDatabase(),
      dataDir: '/nowhere',
    });
    const [first, second] = [await start(), await start()];
    await readAndStore(first);
    await postgres.kill();
    table.drafts = makeDrafts(4);
    for (const { events } of [first, second]) {
      expect((await events.refresh(refreshNow)).events).toHaveLength(4);
    }
    expect(table.reads).toBe(3);
    await postgres.start();
    // What was stored before is older than what each has read since.
    expect((await second.events.refresh({ ageMaxMs: 300_000 })).events).toHaveLength(4);
    table.drafts = makeDrafts(5);
    await first.events.refresh(refreshNow);
    await first.source.close();
    expect((await second.events.refresh({ ageMaxMs: 300_000 })).events).toHaveLength(5);
    expect(table.reads).toBe(4);
  });
});

/** Collects the hashes of the parts that are written. */
function collectParts(written: string[]) {
  return ({ writePart }: ReadStore): Partial<ReadStore> => ({
    writePart(hash, content) {
      written.push(hash);
      return writePart(hash, content);
    },
  });
}

const withPicture = [
  makeDraft({
    attachments: { logo: { id: 'attLogo1', width: 640, height: 360 }, background: null },
  }),
];

/** A picture as an instance describes it, once it has fetched it. */
function toPicture(thumbHash: string | null): ToPicture {
  return ({ id }) => ({
    id,
    url: `https://events.example/media/${id}`,
    width: 640,
    height: 360,
    thumbHash,
  });
}

/** Stores lines as a read of another version of this program. */
async function publish(store: ReadStore, lines: readonly unknown[]): Promise<void> {
  const state = await store.find();
  await store.claim(state, { leaseMs: 1_000, pausedUntilMs: 0 });
  const parts: string[] = [];
  async function* write() {
    for (const line of lines) yield { id: 'a', text: JSON.stringify(line) };
  }
  for await (const part of toParts(write())) {
    parts.push(part.hash);
    await store.writePart(part.hash, await pack(part));
  }
  const { nowMs } = state;
  await store.publish(1, { parts, readAtMs: nowMs, readerReadAtMs: nowMs, servedCallAtMs: 0 });
  await store.release(1);
}
