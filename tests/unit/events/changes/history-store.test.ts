import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ComparedEvent,
  type EventChange,
  type RecordedChange,
  toCompared,
  valueFields,
} from '#lib/events/changes/change.ts';
import { readerNumber, toReading } from '#lib/events/source/reading.ts';
import { convertRow } from '../../../support/airtable/convert-row.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { createTestLog } from '../../../support/test-log.ts';

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
  test('the changes of a read are stored and counted, also where they are more than a query takes', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const eventsOf = (name: string) =>
      Array.from({ length: 1_200 }, (_, index) => event(`rec${index}`, { name }));
    await database.history.record({ events: eventsOf('a'), readAtMs: 1, ...time }, options);
    const read = { events: eventsOf('b'), readAtMs: 2, ...time };
    const { revisions, recent } = await database.history.record(read, options);
    expect(new Set(revisions.values())).toEqual(new Set([1]));
    expect(recent).toHaveLength(500);
    const page = await database.changes.list({ ...all, start: { after: 1_150 } });
    expect(page).toMatchObject({ next: 1_200, hasMore: false });
    expect(page?.changes).toHaveLength(50);
  });

  test('the first read is the baseline; what differs later is listed, once, and survives a restart', async () => {
    const place = await createTestDatabase();
    const before = await openTestDatabase(place);
    const baseline = { events: [event('recA'), event('recB')], readAtMs: 1, ...time };
    const history = await before.history.record(baseline, options);
    expect(history).toMatchObject({ position: 0, recent: [] });
    expect(await before.changes.list(all)).toMatchObject({ changes: [], next: 0 });
    await before.close();
    const database = await openTestDatabase(place);
    const events = [event('recA', { startDate: '2027-02-03' }), event('recC')];
    for (const readAtMs of [2, 3]) {
      await database.history.record({ events, readAtMs, ...time }, options);
    }
    const page = await database.changes.list(all);
    expect(page).toMatchObject({ next: 3, hasMore: false, readAtMs: 3 });
    expect(page?.changes.map(({ id, type, eventId }) => [id, type, eventId])).toEqual([
      ['1', 'event.removed', 'recB'],
      ['2', 'event.changed', 'recA'],
      ['3', 'event.added', 'recC'],
    ]);
    expect(page?.changes[1]).toMatchObject({
      slug: 'reca',
      fields: ['startDate'],
      old: { startDate: '2026-12-12' },
      new: { startDate: '2027-02-03' },
    });
  });

  test('two instances that find the same change write it once, and know the same history', async () => {
    const place = await createTestDatabase();
    const database = await openTestDatabase(place);
    const two = await openTestDatabase(place);
    await database.history.record({ events: [event('recA')], readAtMs: 1, ...time }, options);
    const read = { events: [event('recA', { name: 'New' })], readAtMs: 5, ...time };
    const both = await Promise.all(
      [database, two].map(({ history }) => history.record(read, options)),
    );
    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.revisions.get('recA')).toBe(1);
    expect(both[0]?.lastChanges.get('recA')?.change.new).toEqual({ name: 'New' });
    expect((await database.changes.list(all))?.changes).toHaveLength(1);
  });

  test('an older read and one of the day before change nothing', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await database.history.record({ events: [event('recA')], readAtMs: 5, ...time }, options);
    const events = [event('recA', { name: 'Older' })];
    for (const read of [
      { readAtMs: 4, ...time },
      { ...time, readAtMs: 5, nextTransitionAtMs: time.transitionAtMs },
    ]) {
      expect((await database.history.record({ ...read, events }, options)).position).toBe(0);
    }
  });

  test('two clocks a second apart tell once that an event has begun', async () => {
    const place = await createTestDatabase();
    const [ahead, behind] = [await openTestDatabase(place), await openTestDatabase(place)];
    const at = Date.parse('2026-11-23T17:30:00Z');
    const before = { ...time, nextTransitionAtMs: at, events: [event('recA')] };
    const after = { ...time, transitionAtMs: at, events: [event('recA', { status: 'ongoing' })] };
    await ahead.history.record({ ...before, readAtMs: 1 }, options);
    await ahead.history.record({ ...after, readAtMs: 1 }, options);
    // A newer read, of a process whose clock is behind.
    await behind.history.record({ ...before, readAtMs: 2 }, options);
    await behind.history.record({ ...after, readAtMs: 2 }, options);
    const page = await ahead.changes.list(all);
    expect(page?.changes.map((change) => [change.old.status, change.new.status])).toEqual([
      ['upcoming', 'ongoing'],
    ]);
  });

  test('statuses are recorded alone, and what another instance has recorded of them is known', async () => {
    const place = await createTestDatabase();
    const [one, two] = [await openTestDatabase(place), await openTestDatabase(place)];
    const events = [event('recA'), event('recB')];
    await one.history.record({ ...time, readAtMs: 1, events }, options);
    const at = Date.parse('2026-11-23T17:30:00Z');
    const begun = { ...time, transitionAtMs: at, readAtMs: 1 };
    const read = { ...begun, events: [event('recA', { status: 'ongoing' })] };
    const since = { ...options, since: 0 };
    for (const { history } of [one, two]) expect(await history.recordStatuses(read, since)).toBe(1);
    expect((await one.changes.list(all))?.changes).toMatchObject([
      { eventId: 'recA', fields: ['status'], new: { status: 'ongoing' } },
    ]);
    // The others are not gone.
    const whole = { ...begun, events: [...read.events, event('recB')] };
    expect((await one.history.record(whole, options)).position).toBe(1);
    const renamed = [read.events[0] ?? event('recA'), event('recB', { name: 'New' })];
    await two.history.record({ ...begun, readAtMs: 2, events: renamed }, options);
    expect(await one.history.recordStatuses(read, since)).toBeNull();
    expect(await one.history.recordStatuses(read, { ...since, reading: 'two' })).toBeNull();
  });

  test('after an event that began last was removed, what changes is still recorded', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const events = [event('recA'), event('recB', { status: 'ongoing' })];
    const at = Date.parse('2026-11-23T17:30:00Z');
    await database.history.record({ ...time, transitionAtMs: at, readAtMs: 1, events }, options);
    const read = { ...time, readAtMs: 2, events: events.slice(0, 1) };
    expect((await database.history.record(read, options)).position).toBe(1);
  });

  test('a read from a clock that was set back since does not stop the recording', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const nextYear = { ...time, readAtMs: Date.now() + 365 * 86_400_000 };
    await database.history.record({ events: [event('recA')], ...nextYear }, options);
    const now = { events: [event('recA', { name: 'Now' })], readAtMs: Date.now(), ...time };
    expect((await database.history.record(now, options)).position).toBe(1);
  });

  test('SEQUENCE never falls: not when an event comes back, nor when it is again what it was', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const reads = [[event('recA')], [], [event('recA')], [event('recA', { name: 'B' })]];
    const seen: unknown[] = [];
    for (const [readAtMs, events] of [...reads, [event('recA')]].entries()) {
      const { revisions } = await database.history.record({ events, readAtMs, ...time }, options);
      seen.push(revisions.get('recA') ?? null);
    }
    expect(seen).toEqual([0, null, 1, 2, 3]);
  });

  test('another table is a new beginning', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await database.history.record({ events: [event('recA')], readAtMs: 1, ...time }, options);
    const other = { ...options, table: 'app/Other' };
    const read = { events: [event('recX')], readAtMs: 2, ...time };
    expect((await database.history.record(read, other)).position).toBe(0);
  });

  test('another way of reading the same table makes no changes', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const events = [event('recA'), event('recB'), event('recGone')];
    await database.history.record({ events, readAtMs: 1, ...time }, options);
    const told: unknown[] = [];
    const reread = {
      ...options,
      reading: 'two',
      onChanges: async (_: unknown, changes: readonly unknown[]) => void told.push(...changes),
    };
    const repaired = [event('recA', { startTime: '18:30' }), event('recB'), event('recShown')];
    const history = await database.history.record(
      { events: repaired, readAtMs: 2, ...time },
      reread,
    );
    expect(history).toMatchObject({ position: 0, recent: [] });
    expect(history.revisions.get('recA')).toBe(0);
    expect(told).toEqual([]);
    expect((await database.changes.list(all))?.changes).toEqual([]);
    // Its page is no 410: it was not removed.
    expect(await database.slugs.find('recGone')).toBeNull();
    const read = { events: repaired.slice(0, 2), readAtMs: 3, ...time };
    expect((await database.history.record(read, reread)).position).toBe(1);
    expect(told).toMatchObject([{ change: { type: 'event.removed', eventId: 'recShown' } }]);
  });

  test('what this version reads better than the one before is no change: none is listed or told, and no SEQUENCE rises', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const cells = {
      'Start Date': '5 Mar 2027',
      'Start Time': '午後7時30分',
      'Time Zone': 'Egypt Standard Time',
      City: 'Cairo, Egypt',
      Description: '<p>Bring <b>a lamp</b></p>',
      Price: '€12',
    };
    const before = {
      startDate: '2027-03-05',
      endDate: '2027-03-05',
      startTime: null,
      endTime: null,
      timeZone: null,
      startsAt: null,
      endsAt: null,
      place: null,
      description: cells.Description,
      price: '€12',
      priceRange: null,
    };
    const reading = JSON.stringify([readerNumber - 1, 'UTC', null, {}]);
    const told: unknown[] = [];
    const onChanges = async (_: unknown, changes: readonly unknown[]) => void told.push(...changes);
    const stored = { events: [event('recA', before)], readAtMs: 1, ...time };
    await database.history.record(stored, { ...options, reading });
    const settings = { airtable: { table: 'Events' }, events: { timeZone: 'UTC' } };
    const { reasons: _, attachments: __, ...read } = convertRow(cells);
    // The version before left the other row out.
    const events = ['recA', 'recB'].map((id) => event(id, { ...read, id }));
    const now = { ...options, reading: toReading(settings), onChanges };
    const history = await database.history.record({ events, readAtMs: 2, ...time }, now);
    expect(events[0]).toMatchObject({
      startsAt: '2027-03-05T19:30:00+02:00',
      place: { city: 'Cairo', country: 'EG' },
      description: 'Bring **a lamp**',
    });
    expect(history).toMatchObject({ position: 0, recent: [] });
    expect([...history.revisions]).toEqual([
      ['recA', 0],
      ['recB', 0],
    ]);
    expect(told).toEqual([]);
    expect((await database.changes.list(all))?.changes).toEqual([]);
    // What differs from then on is a change.
    const later = events.map((one) => ({ ...one, startTime: '20:00' }));
    const next = await database.history.record({ events: later, readAtMs: 3, ...time }, now);
    expect([next.position, next.revisions.get('recA'), told.length]).toEqual([2, 1, 2]);
  });

  test('of two instances that read in different ways, the one that came last records changes, while it reads', async () => {
    const place = await createTestDatabase();
    let nowMs = time.transitionAtMs + 60_000;
    const [one, two] = [
      await openTestDatabase({ ...place, now: () => nowMs }),
      await openTestDatabase({ ...place, now: () => nowMs }),
    ];
    const log = createTestLog();
    const record = ({ history }: typeof one, reading: string, ...events: ComparedEvent[]) =>
      history.record({ events, ...time, readAtMs: ++nowMs }, { ...options, reading, log });
    await record(one, 'one', event('recA'));
    await record(two, 'two', event('recA', { startTime: '18:30' }));
    expect(log.lines).toMatchObject([{ level: 'info', fields: { before: 'one' } }]);
    expect((await record(one, 'one', event('recA'))).position).toBe(0);
    expect(log.lines[1]).toMatchObject({ level: 'warn', fields: { own: 'one', other: 'two' } });
    // What the one does not record is no longer silently replaced by it.
    const moved = event('recA', { startTime: '19:30' });
    expect((await record(two, 'two', moved)).position).toBe(1);
    expect((await record(one, 'one', event('recA', { name: 'New' }))).position).toBe(1);
    // Nor does a read of the one make the other look alive.
    nowMs += 601_000;
    expect(await one.history.markRead({ ...time, readAtMs: nowMs })).toBeNull();
    expect((await record(one, 'one', event('recA'))).position).toBe(1);
    expect((await record(one, 'one', event('recA', { name: 'New' }))).position).toBe(2);
  });

  test('what a change causes is written with it, or neither is', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await database.history.record({ events: [event('recA')], readAtMs: 1, ...time }, options);
    const read = { events: [], readAtMs: 2, ...time };
    const fails = database.history.record(read, {
      ...options,
      onChanges: () => Promise.reject(new Error('disk full')),
    });
    await expect(fails).rejects.toThrow();
    expect((await database.changes.list(all))?.changes).toEqual([]);
    const found: RecordedChange[] = [];
    const onChanges = async (_db: unknown, changes: readonly RecordedChange[]) =>
      void found.push(...changes);
    await database.history.record(read, { ...options, onChanges });
    expect(found).toMatchObject([{ before: { id: 'recA' }, after: null }]);
  });

  test('pages follow each other without a gap, by type, by time, and from a cursor', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const events = ['recA', 'recB', 'recC', 'recD'].map((id) => event(id));
    await database.history.record({ events: events.slice(0, 1), readAtMs: 1, ...time }, options);
    await database.history.record({ events: events.slice(1), readAtMs: 2, ...time }, options);
    const { changes } = database;
    const first = await changes.list({ ...all, limit: 3 });
    expect(first).toMatchObject({ next: 3, hasMore: true });
    expect(await changes.list({ ...all, start: { after: 3 } })).toMatchObject({
      changes: [{ id: '4' }],
      next: 4,
      hasMore: false,
    });
    const added = await changes.list({ ...all, limit: 2, types: ['event.added'] });
    expect(added).toMatchObject({ changes: [{ id: '2' }, { id: '3' }], next: 3, hasMore: true });
    expect(await changes.list({ ...all, types: ['event.changed'] })).toMatchObject({
      changes: [],
      next: 4,
    });
    expect(await changes.list({ ...all, start: { after: 5 } })).toBeNull();
    expect(await changes.list({ ...all, start: { atMs: 0 } })).toMatchObject({ next: 4 });
    expect(await changes.list({ ...all, start: { atMs: Date.now() + 1e9 } })).toMatchObject({
      changes: [],
      next: 4,
    });
  });

  test('changes older than ninety days are deleted, and a cursor before them is no longer one', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    await database.history.record({ events: [event('recA')], readAtMs: 1, ...time }, options);
    await database.history.record({ events: [], readAtMs: 2, ...time }, options);
    const in89Days = Date.now() + 89 * 86_400_000;
    expect(await database.changes.prune(in89Days)).toBe(0);
    expect(await database.changes.prune(in89Days + 2 * 86_400_000)).toBe(1);
    expect(await database.changes.list({ ...all, start: { after: 0 } })).toBeNull();
    expect(await database.changes.list(all)).toMatchObject({ changes: [], next: 1 });
    expect(await database.changes.list({ ...all, start: { after: 1 } })).not.toBeNull();
  });
});

const anyEvent = fc.record({
  id: fc.constantFrom('recA', 'recB', 'recC', 'recD'),
  name: fc.constantFrom('One', 'Two'),
  startDate: fc.constantFrom('2026-12-12', '2027-02-03'),
  endTime: fc.constantFrom(null, '21:00'),
  description: fc.constantFrom(null, 'Text'),
});
const anyList = fc.uniqueArray(anyEvent, { selector: ({ id }) => id });

test('the changes, replayed over an old list, give the new list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyList, { minLength: 1, maxLength: 6 }), async (lists) => {
      const database = await openTestDatabase();
      const reads = lists.map((list) => list.map(({ id, ...fields }) => event(id, fields)));
      for (const [readAtMs, events] of reads.entries()) {
        await database.history.record({ events, readAtMs, ...time }, options);
      }
      const page = await database.changes.list(all);
      const replayed = replay(reads[0] ?? [], page?.changes ?? []);
      expect(replayed).toEqual(toValues(reads.at(-1) ?? []));
    }),
    { numRuns: 40 },
  );
});

type Values = Record<string, Record<string, unknown>>;

function toValues(events: readonly ComparedEvent[]): Values {
  return Object.fromEntries(
    events.map((event) => [
      event.id,
      Object.fromEntries(valueFields.map((name) => [name, event[name]])),
    ]),
  );
}

function replay(events: readonly ComparedEvent[], changes: readonly EventChange[]): Values {
  const values = toValues(events);
  for (const { type, eventId, new: after } of changes) {
    if (type === 'event.removed') delete values[eventId];
    else values[eventId] = { ...values[eventId], ...after };
  }
  return values;
}
