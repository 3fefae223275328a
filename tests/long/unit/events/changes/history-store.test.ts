import { expect, test } from 'vitest';
import { type ComparedEvent, toCompared } from '#lib/events/changes/change.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { createTestLog } from '../../../../support/test-log.ts';

const table = 'app/Events';
const options = { table, reading: 'one', onChanges: async () => {}, log: createTestLog() };
const day = '2026-11-23';
/** Between two midnights, without an event that begins or ends. */
const time = {
  day,
  transitionAtMs: Date.parse('2026-11-23T00:00:00Z'),
  nextTransitionAtMs: Date.parse('2026-11-24T00:00:00Z'),
};

function event(id: string, overrides: Partial<ComparedEvent> = {}): ComparedEvent {
  return { ...toCompared(makeEvent()), id, slug: id.toLowerCase(), ...overrides };
}

const all = { start: null, limit: 100, types: [] } as const;

describeEachDatabase((createTestDatabase) => {
  test('ten thousand changes of one read are stored and counted', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const eventsOf = (name: string) =>
      Array.from({ length: 10_000 }, (_, index) => event(`rec${index}`, { name }));
    await database.history.record({ events: eventsOf('a'), readAtMs: 1, ...time }, options);
    const read = { events: eventsOf('b'), readAtMs: 2, ...time };
    const { revisions, recent } = await database.history.record(read, options);
    expect(new Set(revisions.values())).toEqual(new Set([1]));
    expect(recent).toHaveLength(500);
    const page = await database.changes.list({ ...all, start: { after: 9_950 } });
    expect(page).toMatchObject({ next: 10_000, hasMore: false });
    expect(page?.changes).toHaveLength(50);
  });
});
