import { expect, test, vi } from 'vitest';
import { createRepresentation } from '#lib/http/representations/representation.ts';
import { createRepresentationStore } from '#lib/http/representations/representation-store.ts';

function makeRepresentation(bytes = 10) {
  const body = 'x'.repeat(bytes);
  return createRepresentation({ contentType: 'text/plain', body, lastModifiedMs: 0 });
}

test('concurrent requests share one creation', async () => {
  const store = createRepresentationStore(1_000_000);
  const create = vi.fn(async () => makeRepresentation());
  const all = await Promise.all(Array.from({ length: 50 }, () => store.get('v1', 'a', create)));
  expect(new Set(all).size).toBe(1);
  expect(create).toHaveBeenCalledTimes(1);
});

test('a stored representation is not created again', async () => {
  const store = createRepresentationStore(1_000_000);
  expect(store.find('v1', 'a')).toBeUndefined();
  const first = await store.get('v1', 'a', makeRepresentation);
  expect(await store.get('v1', 'a', makeRepresentation)).toBe(first);
  expect(store.find('v1', 'a')).toBe(first);
});

test('another key and another version are created separately', async () => {
  const store = createRepresentationStore(1_000_000);
  const first = await store.get('v1', 'a', () => makeRepresentation());
  expect(await store.get('v1', 'b', () => makeRepresentation())).not.toBe(first);
  expect(await store.get('v2', 'a', () => makeRepresentation())).not.toBe(first);
});

function throwNow(): never {
  throw new Error('not now');
}

test.for([
  ['thrown', throwNow],
  ['rejected', async () => throwNow()],
] as const)(
  'an error that is %s goes to all waiting requests and is not stored',
  async ([, fail]) => {
    const store = createRepresentationStore(1_000_000);
    const failing = vi.fn(fail);
    const waiting = [store.get('v1', 'a', failing), store.get('v1', 'a', failing)];
    const results = await Promise.allSettled(waiting);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(failing).toHaveBeenCalledTimes(1);
    await expect(store.get('v1', 'a', async () => makeRepresentation())).resolves.toBeDefined();
  },
);

test('the store stays within its size and evicts the least recently used entries', async () => {
  const store = createRepresentationStore(100_000);
  for (let index = 0; index < 200; index++) {
    await store.get('v1', `key ${index}`, () => makeRepresentation(1000));
    await store.get('v1', 'key 0', () => makeRepresentation(1000));
  }
  const again = vi.fn(() => makeRepresentation(1000));
  await store.get('v1', 'key 0', again);
  await store.get('v1', 'key 199', again);
  await store.get('v1', 'key 175', again);
  expect(again).not.toHaveBeenCalled();
  await store.get('v1', 'key 100', again);
  expect(again).toHaveBeenCalledTimes(1);
});

test('a representation larger than the store is returned and not stored', async () => {
  const store = createRepresentationStore(10_000);
  const create = vi.fn(() => makeRepresentation(50_000));
  expect((await store.get('v1', 'a', create)).sizeBytes).toBe(50_000);
  await store.get('v1', 'a', create);
  expect(create).toHaveBeenCalledTimes(2);
});
