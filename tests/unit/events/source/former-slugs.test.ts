import { expect, test } from 'vitest';
import { findRenamed } from '#lib/events/source/former-slugs.ts';
import { createSnapshot, type EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';

/** Reads several states of a table, given as ids and names. */
async function readInTurn(...tables: readonly Record<string, string>[]): Promise<EventsSnapshot> {
  let before: EventsSnapshot | undefined;
  for (const table of tables) {
    const drafts = Object.entries(table).map(([id, name]) => makeDraft({ id, name }));
    const read = { readAtMs: 0, day: '2026-12-01', yieldWhenDue: createTimeSlices() };
    before = await createSnapshot(drafts, { ...read, ...(before && { before }) });
  }
  if (before === undefined) throw new Error('nothing was read');
  return before;
}

test('the first read has no former slugs', async () => {
  const snapshot = await readInTurn({ recA: 'Lantern Jam' });
  expect(snapshot.formerSlugs.size).toBe(0);
});

test('a renamed event is found by each of its former slugs, in any case', async () => {
  const last = { recA: 'Torch Jam', recB: 'Other' };
  const snapshot = await readInTurn(
    { recA: 'Lantern Jam', recB: 'Other' },
    { recA: 'Candle Jam', recB: 'Other' },
    last,
    last,
  );
  for (const slug of ['lantern-jam', 'candle-jam', 'Lantern-JAM']) {
    expect(findRenamed(snapshot, slug)?.slug).toBe('torch-jam');
  }
});

test('a slug in use leads only to the event that has it', async () => {
  const taken = await readInTurn(
    { recA: 'Lantern Jam' },
    { recA: 'Torch Jam', recB: 'Lantern Jam' },
  );
  expect(findRenamed(taken, 'lantern-jam')).toBeUndefined();
  const back = await readInTurn(
    { recA: 'Lantern Jam' },
    { recA: 'Torch Jam' },
    { recA: 'Lantern Jam' },
  );
  expect(findRenamed(back, 'lantern-jam')).toBeUndefined();
  expect(findRenamed(back, 'torch-jam')?.id).toBe('recA');
});

test('a slug that two events had leads to the later one', async () => {
  const snapshot = await readInTurn(
    { recA: 'Lantern Jam', recB: 'Other' },
    { recA: 'Torch Jam', recB: 'Lantern Jam' },
    { recA: 'Torch Jam', recB: 'Candle Jam' },
  );
  expect(findRenamed(snapshot, 'lantern-jam')?.id).toBe('recB');
});

test('deleted events and unknown names are not found', async () => {
  const snapshot = await readInTurn({ recA: 'Lantern Jam' }, { recA: 'Torch Jam' }, {});
  for (const slug of ['lantern-jam', 'torch-jam', 'recA', '', '__proto__', 'constructor']) {
    expect(findRenamed(snapshot, slug)).toBeUndefined();
  }
});

test('at most 10,000 former slugs are stored, and the oldest are dropped', async () => {
  const ids = Array.from({ length: 6_000 }, (_, index) => `rec${index}`);
  const toTable = (word: string) => Object.fromEntries(ids.map((id) => [id, `${word} ${id}`]));
  const snapshot = await readInTurn(toTable('One'), toTable('Two'), toTable('Three'));
  expect(snapshot.formerSlugs.size).toBe(10_000);
  expect(findRenamed(snapshot, 'two-rec5999')?.slug).toBe('three-rec5999');
  expect(findRenamed(snapshot, 'one-rec0')).toBeUndefined();
});

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
    const [first, second] = [await openTestDatabase(place), await openTestDatabase(place)];
    await first.slugs.update(new Map([['jam', 'recA']]), 1);
    await second.slugs.update(new Map([['jam', 'recB']]), 5);
    await first.slugs.update(new Map([['jam', 'recA']]), 4);
    expect((await second.slugs.update(new Map(), 6)).get('jam')).toBe('recB');
  });
});
