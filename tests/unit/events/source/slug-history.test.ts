import { expect, test } from 'vitest';
import { createSlugHistory, type StoreSlugs } from '#lib/events/source/former-slugs.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { createTestLog } from '../../../support/test-log.ts';

const { id } = makeEvent();
const snapshot = {
  version: 'one',
  readAtMs: 1,
  events: [makeEvent({ slug: 'torch-jam' })],
  formerSlugs: new Map([['candle-jam', id]]),
};

test('slugs from before this process started are added to those that it has seen', async () => {
  let calls = 0;
  const store: StoreSlugs = async (slugs) => {
    calls++;
    return new Map([['lantern-jam', id], ...slugs]);
  };
  const history = createSlugHistory({ store, log: createTestLog() });
  const former = await history(snapshot);
  expect(Object.fromEntries(former)).toEqual({
    'lantern-jam': id,
    'candle-jam': id,
  });
  expect(await history({ ...snapshot, formerSlugs: former })).toBe(former);
  expect(calls).toBe(1);
});

test('while slugs cannot be stored, a snapshot keeps its own, and the next one is stored', async () => {
  const log = createTestLog();
  let isAway = true;
  const store: StoreSlugs = async (slugs) => {
    if (isAway) throw Object.assign(new Error('canary'), { code: 'ECONNREFUSED' });
    return new Map([['lantern-jam', id], ...slugs]);
  };
  const history = createSlugHistory({ store, log });
  expect(await history(snapshot)).toBe(snapshot.formerSlugs);
  expect(log.text()).toContain('slugs of events could not be stored');
  expect(log.text()).not.toContain('canary');
  isAway = false;
  expect((await history(snapshot)).get('lantern-jam')).toBe(id);
});

test('a store that hangs holds up the events for the limit at most', async () => {
  const history = createSlugHistory({
    store: () => new Promise(() => {}),
    log: createTestLog(),
    timeoutMs: 10,
  });
  expect(await history(snapshot)).toBe(snapshot.formerSlugs);
});
