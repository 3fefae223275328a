import { expect, test } from 'vitest';
import {
  createHistoryTracker,
  type EventsHistory,
  noHistory,
  type RecordRead,
  type RecordStatuses,
} from '#lib/events/changes/history.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { createTestLog } from '../../../support/test-log.ts';

const { id } = makeEvent();
let version = 0;

function snapshotOf(...events: ReturnType<typeof makeEvent>[]) {
  version++;
  return {
    version: String(version),
    digest: String(version),
    readAtMs: version,
    transitionAtMs: 0,
    nextTransitionAtMs: 86_400_000,
    day: '2026-11-23',
    events,
    hasStoredSlugs: true,
  };
}

/** The tracker of a database that counts changes of the name, and fails while `isAway`. */
function createTracker() {
  let name = '';
  let history: EventsHistory = noHistory;
  const control = { isAway: false, calls: 0, position: 0, isAlone: true, statuses: [''] };
  const requirePresent = () => {
    if (control.isAway) throw Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' });
  };
  const record: RecordRead = async ({ events }) => {
    control.calls++;
    requirePresent();
    const revision = (history.revisions.get(id) ?? -1) + Number(events[0]?.name !== name);
    name = events[0]?.name ?? '';
    history = { ...history, position: control.position, revisions: new Map([[id, revision]]) };
    return history;
  };
  const markRead = async () => {
    requirePresent();
    return control.position;
  };
  const recordStatuses: RecordStatuses = async ({ events }) => {
    control.statuses = events.map((event) => `${event.id} ${event.status}`);
    if (!control.isAlone) return null;
    control.position += events.length;
    return control.position;
  };
  const log = createTestLog();
  const track = createHistoryTracker({ record, recordStatuses, markRead, log });
  return { track, control, log };
}

test('the same content is recorded once', async () => {
  const { track, control } = createTracker();
  const snapshot = snapshotOf(makeEvent());
  await track(snapshot);
  await track({ ...snapshot, readAtMs: 99 });
  expect(control.calls).toBe(1);
});

test('what another instance has recorded since is loaded, even if the events are the same', async () => {
  const { track, control } = createTracker();
  const snapshot = snapshotOf(makeEvent());
  await track(snapshot);
  control.position = 2;
  expect((await track(snapshot)).position).toBe(2);
});

test('of a transition only the events are recorded whose status has changed, unless more has changed', async () => {
  const { track, control } = createTracker();
  const [begins, stays] = [makeEvent({ id: 'recA', status: 'upcoming' }), makeEvent()];
  const before = snapshotOf(begins, stays);
  await track(before);
  const after = { ...snapshotOf({ ...begins, status: 'ongoing' }, stays), digest: before.digest };
  const history = await track(after);
  expect(control).toMatchObject({ statuses: ['recA ongoing'], calls: 1 });
  expect(history.position).toBe(1);
  expect(history.revisions.get(id)).toBe(0);
  control.isAlone = false;
  await track({ ...snapshotOf({ ...begins, status: 'ended' }, stays), digest: before.digest });
  expect(control.calls).toBe(2);
});

test('while the database is away, revisions are counted on, never fall, and are stored as soon as it is back', async () => {
  const { track, control, log } = createTracker();
  const revisionOf = async (name: string) =>
    (await track(snapshotOf(makeEvent({ name })))).revisions.get(id);
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

test('slugs that are not the stored ones are no changes: revisions are counted, and nothing is recorded', async () => {
  const { track, control } = createTracker();
  await track({ ...snapshotOf(makeEvent()), hasStoredSlugs: false });
  expect(control.calls).toBe(0);
  await track(snapshotOf(makeEvent()));
  expect(control.calls).toBe(1);
});

test('a database that never answers does not hold up the events', async () => {
  const never = () => new Promise<never>(() => {});
  const track = createHistoryTracker({
    record: never,
    recordStatuses: never,
    markRead: never,
    log: createTestLog(),
    timeoutMs: 5,
  });
  expect((await track(snapshotOf(makeEvent()))).revisions.get(id)).toBe(0);
});
