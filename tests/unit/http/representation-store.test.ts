import { expect, test, vi } from 'vitest';
import { createRepresentation } from '#lib/http/representation.ts';
import { createRepresentationStore } from '#lib/http/representation-store.ts';

function makeRepresentation(bytes = 10) {
  return createRepresentation({
    contentType: 'text/plain',
    body: 'x'.repeat(bytes),
    lastModifiedMs: 0,
  });
}

test('callers at the same time share one making', async () => {
  const store = createRepresentationStore(1_000_000);
  const generation = {};
  const create = vi.fn(async () => makeRepresentation());
  const all = await Promise.all(
    Array.from({ length: 50 }, () => store.get(generation, 'a', create)),
  );
  expect(new Set(all).size).toBe(1);
  expect(create).toHaveBeenCalledTimes(1);
});

test('what was made is given at once, without a promise', async () => {
  const store = createRepresentationStore(1_000_000);
  const generation = {};
  const made = await store.get(generation, 'a', makeRepresentation);
  expect(store.get(generation, 'a', makeRepresentation)).toBe(made);
});

test('another key and another generation are made anew', async () => {
  const store = createRepresentationStore(1_000_000);
  const [one, two] = [{}, {}];
  const made = await store.get(one, 'a', () => makeRepresentation());
  expect(await store.get(one, 'b', () => makeRepresentation())).not.toBe(made);
  expect(await store.get(two, 'a', () => makeRepresentation())).not.toBe(made);
});

test('an error goes to all who wait and is not kept', async () => {
  const store = createRepresentationStore(1_000_000);
  const generation = {};
  const failing = vi.fn(() => {
    throw new Error('not now');
  });
  const waiting = [store.get(generation, 'a', failing), store.get(generation, 'a', failing)];
  const results = await Promise.allSettled(waiting);
  expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  await expect(store.get(generation, 'a', async () => makeRepresentation())).resolves.toBeDefined();
});

test('a generation holds no more than its bytes, and drops what was used least recently', async () => {
  const store = createRepresentationStore(100_000);
  const generation = {};
  for (let index = 0; index < 200; index++) {
    await store.get(generation, `key ${index}`, () => makeRepresentation(1000));
    await store.get(generation, 'key 0', () => makeRepresentation(1000));
  }
  const again = vi.fn(() => makeRepresentation(1000));
  let kept = 0;
  for (let index = 199; index >= 0; index--) {
    if (!(store.get(generation, `key ${index}`, again) instanceof Promise)) kept++;
    else break;
  }
  // Each is stored as its 1,000 bytes, what compressing adds, and a kilobyte around it.
  expect(kept).toBeGreaterThan(30);
  expect(kept).toBeLessThan(50);
  expect(store.get(generation, 'key 0', again)).not.toBeInstanceOf(Promise);
});

test('what is larger than all that may be held is answered and not kept', async () => {
  const store = createRepresentationStore(10_000);
  const generation = {};
  const create = vi.fn(() => makeRepresentation(50_000));
  expect((await store.get(generation, 'a', create)).sizeBytes).toBe(50_000);
  await store.get(generation, 'a', create);
  expect(create).toHaveBeenCalledTimes(2);
});
