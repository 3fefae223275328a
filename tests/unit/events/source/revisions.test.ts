import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { createRevisionTracker, type StoreRevisions } from '#lib/events/source/revisions.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { createTestLog } from '../../../support/test-log.ts';

const yieldWhenDue = () => undefined;
let version = 0;

function snapshotOf(...events: ReturnType<typeof makeEvent>[]) {
  version++;
  return { version: String(version), readAtMs: version, events };
}

/** A store that counts in memory, and fails while `isAway`. */
function createStore() {
  const known = new Map<string, { fingerprint: string; revision: number }>();
  const control = { isAway: false, calls: 0 };
  const store: StoreRevisions = async (fingerprints) => {
    control.calls++;
    if (control.isAway) throw Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' });
    for (const [id, fingerprint] of fingerprints) {
      const before = known.get(id);
      const revision = before && before.fingerprint !== fingerprint ? before.revision + 1 : 0;
      known.set(id, { fingerprint, revision: Math.max(revision, before?.revision ?? 0) });
    }
    return new Map([...known].map(([id, row]) => [id, row.revision]));
  };
  return { store, control };
}

const changes: readonly Partial<MarqueeEvent>[] = [
  { name: 'Renamed' },
  { slug: 'renamed' },
  { state: 'cancelled' },
  { startDate: '2026-12-11' },
  { endDate: null },
  { format: 'online' },
  { inPerson: null },
  { description: 'New.' },
  { requirements: null },
  { projectTypes: [] },
  { startTime: '18:30' },
  { startsAt: '2026-12-12T18:30:00+01:00' },
  { schedule: [{ day: '2026-12-12', time: '19:00', title: 'Doors' }] },
  { organizer: { name: 'Lantern Club', url: null } },
  { price: 'Free' },
];

test.for(changes)('a revision rises with %j', async (change) => {
  const { store } = createStore();
  const track = createRevisionTracker({ store, log: createTestLog() });
  const event = makeEvent();
  expect((await track(snapshotOf(event), yieldWhenDue)).get(event.id)).toBe(0);
  const changed = makeEvent(change);
  expect((await track(snapshotOf(changed), yieldWhenDue)).get(event.id)).toBe(1);
});

test('what a calendar does not show changes no revision', async () => {
  const { store } = createStore();
  const track = createRevisionTracker({ store, log: createTestLog() });
  await track(snapshotOf(makeEvent()), yieldWhenDue);
  const event = makeEvent({ status: 'ongoing', pinned: true, slackChannel: 'other', url: null });
  expect((await track(snapshotOf(event), yieldWhenDue)).get(event.id)).toBe(0);
});

test('the same content is stored once', async () => {
  const { store, control } = createStore();
  const track = createRevisionTracker({ store, log: createTestLog() });
  const snapshot = snapshotOf(makeEvent());
  await track(snapshot, yieldWhenDue);
  await track({ ...snapshot, readAtMs: 99 }, yieldWhenDue);
  expect(control.calls).toBe(1);
});

test('while the store is away, revisions are counted on, never fall, and are stored as soon as it is back', async () => {
  const { store, control } = createStore();
  const log = createTestLog();
  const track = createRevisionTracker({ store, log });
  const revisionOf = async (name: string) =>
    (await track(snapshotOf(makeEvent({ name })), yieldWhenDue)).get('recV7kQ2mXw4Tn9Lb');
  expect(await revisionOf('One')).toBe(0);
  expect(await revisionOf('Two')).toBe(1);
  control.isAway = true;
  expect(await revisionOf('Two')).toBe(1);
  expect(await revisionOf('Three')).toBe(2);
  control.isAway = false;
  expect(await revisionOf('Three')).toBe(2);
  expect(log.text()).toContain('ECONNREFUSED');
  expect(log.text()).not.toContain('secret host');
});

test('a store that never answers does not hold up the events', async () => {
  const store: StoreRevisions = () => new Promise(() => {});
  const track = createRevisionTracker({ store, log: createTestLog(), timeoutMs: 5 });
  expect((await track(snapshotOf(makeEvent()), yieldWhenDue)).get('recV7kQ2mXw4Tn9Lb')).toBe(0);
});
