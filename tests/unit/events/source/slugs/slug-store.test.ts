import { expect, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import { toCompared } from '#lib/events/changes/change.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { createTestLog } from '../../../../support/test-log.ts';

/** Assigns the slugs of a read, given as ids and names in the order of their announcement. */
async function read(
  { slugs }: Database,
  table: Readonly<Record<string, string>>,
  readAtMs: number,
): Promise<Record<string, string>> {
  const events = Object.entries(table).map(([id, name], index) => ({
    id,
    name,
    announcedAt: new Date(index).toISOString(),
  }));
  const byId = await slugs.assign({ events, readAtMs });
  return Object.fromEntries(events.map(({ id }) => [id, byId.get(id) ?? '']));
}

describeEachDatabase((createTestDatabase) => {
  test('renaming the first of three events of one name moves no other', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const jam = { recA: 'Jam', recB: 'Jam', recC: 'Jam' };
    expect(await read(database, jam, 1)).toEqual({ recA: 'jam', recB: 'jam-2', recC: 'jam-3' });
    expect(await read(database, { ...jam, recA: 'Torch' }, 2)).toEqual({
      recA: 'torch',
      recB: 'jam-2',
      recC: 'jam-3',
    });
    expect(await database.slugs.find('jam')).toEqual({ eventId: 'recA', removedAtMs: null });
  });

  test('removing the first of them moves no other either, and a new one gets its slug', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await read(database, { recA: 'Jam', recB: 'Jam' }, 1);
    expect(await read(database, { recB: 'Jam', recC: 'Jam' }, 2)).toEqual({
      recB: 'jam-2',
      recC: 'jam',
    });
  });

  test('a table that is imported again, with other ids, keeps its URLs', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const before = await read(database, { recA: 'Jam', recB: 'Jam', recC: 'Torch' }, 1);
    const after = await read(database, { recD: 'Jam', recE: 'Jam', recF: 'Torch' }, 2);
    expect(Object.values(after)).toEqual(Object.values(before));
  });

  test('a former slug stays its event’s own, and is its slug again with the old name', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await read(database, { recA: 'Jam' }, 1);
    const renamed = { recA: 'Torch', recB: 'Jam' };
    expect(await read(database, renamed, 2)).toEqual({ recA: 'torch', recB: 'jam-2' });
    expect(await read(database, { recA: 'JAM!', recB: 'Jam' }, 3)).toEqual({
      recA: 'jam',
      recB: 'jam-2',
    });
    expect(await database.slugs.find('torch')).toMatchObject({ eventId: 'recA' });
  });

  test('a name with a number at its end is another name', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await read(database, { recA: 'Jam 2026' }, 1);
    expect(await read(database, { recA: 'Jam' }, 2)).toEqual({ recA: 'jam' });
  });

  test('a word that was reserved later moves its event, and no other', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const rows = [
      { slug: 'rss', event_id: 'recA', read_at: 1, name: 'RSS' },
      { slug: 'rss-2', event_id: 'recB', read_at: 1, name: 'RSS' },
    ];
    await database.run((db) => db.insertInto('marquee_event_slugs').values(rows).execute());
    expect(await read(database, { recA: 'RSS', recB: 'RSS' }, 2)).toEqual({
      recA: 'rss-event',
      recB: 'rss-2',
    });
  });

  test('slugs that version 1.0 has stored without names stay', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const rows = [
      { slug: 'lamp', event_id: 'recA', read_at: 1, name: null },
      { slug: 'jam-3', event_id: 'recA', read_at: 2, name: null },
      { slug: 'jam', event_id: 'recB', read_at: 2, name: null },
    ];
    await database.run((db) => db.insertInto('marquee_event_slugs').values(rows).execute());
    expect(await read(database, { recA: 'Jam', recB: 'Torch', recC: 'Jam' }, 3)).toEqual({
      recA: 'jam-3',
      recB: 'torch',
      recC: 'jam-2',
    });
  });

  test('slugs of digits, which names without Latin letters got, stay', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const rows = [
      { slug: '8', event_id: 'recA', read_at: 1, name: '정글 8기' },
      { slug: '8-2', event_id: 'recB', read_at: 1, name: null },
    ];
    await database.run((db) => db.insertInto('marquee_event_slugs').values(rows).execute());
    const table = { recA: '정글 8기', recB: '캠프 8기', recC: '모임 8기' };
    expect(await read(database, table, 2)).toEqual({ recA: '8', recB: '8-2', recC: 'recc' });
  });

  test('two processes that read the same at the same time agree', async () => {
    const place = await createTestDatabase();
    const [first, second] = [await openTestDatabase(place), await openTestDatabase(place)];
    const table = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`rec${index}`, index % 2 === 0 ? 'Jam' : 'Torch']),
    );
    const [one, other] = await Promise.all([read(first, table, 1), read(second, table, 1)]);
    expect(one).toEqual(other);
    expect(new Set(Object.values(one)).size).toBe(60);
  });

  test('a process with an older read takes no slug of an event that it does not know yet', async () => {
    const place = await createTestDatabase();
    const [first, second] = [await openTestDatabase(place), await openTestDatabase(place)];
    expect(await read(first, { recNew: 'Jam' }, 5)).toEqual({ recNew: 'jam' });
    expect(await read(second, { recOld: 'Jam' }, 4)).toEqual({ recOld: 'jam-2' });
    expect(await read(first, { recNew: 'Jam', recOld: 'Jam' }, 6)).toEqual({
      recNew: 'jam',
      recOld: 'jam-2',
    });
  });

  test('a time far ahead of the clock, which has been set back, blocks no slug for good', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await read(database, { recA: 'Jam' }, Date.now() + 3_600_000);
    expect(await read(database, { recB: 'Jam' }, Date.now())).toEqual({ recB: 'jam' });
  });

  test('ten thousand events of one name get ten thousand slugs, and keep them', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const ids = Array.from({ length: 10_000 }, (_, index) => `rec${index}`);
    const table = Object.fromEntries(ids.map((id) => [id, 'Jam']));
    const slugs = await read(database, table, 1);
    expect(slugs.rec9999).toBe('jam-10000');
    const { rec0: _, ...others } = slugs;
    expect(await read(database, { ...table, rec0: 'Torch' }, 2)).toEqual({
      ...others,
      rec0: 'torch',
    });
  });

  test('of a removed event its slug and id say when, and an unknown slug is nobody’s', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await read(database, { recA: 'Jam' }, 1);
    const options = {
      table: 'Events',
      reading: '',
      onChanges: async () => {},
      log: createTestLog(),
    };
    const time = { transitionAtMs: 0, nextTransitionAtMs: 86_400_000, day: '1970-01-01' };
    const event = toCompared(makeEvent({ id: 'recA', name: 'Jam', slug: 'jam' }));
    await database.history.record({ readAtMs: 1, ...time, events: [event] }, options);
    expect(await database.slugs.find('jam')).toEqual({ eventId: 'recA', removedAtMs: null });
    await database.history.record({ readAtMs: 2, ...time, events: [] }, options);
    const removed = { eventId: 'recA', removedAtMs: expect.any(Number) };
    for (const name of ['jam', 'JAM', 'recA']) {
      expect(await database.slugs.find(name)).toEqual(removed);
    }
    expect(await database.slugs.find('lamp')).toBeNull();
  });
});
