import { expect, test } from 'vitest';
import { TurnQueue } from '#lib/http/turn-queue.ts';

const [hostile, visitor, other] = ['198.51.100.1', '203.0.113.1', '203.0.113.2'];

function setUp({ concurrency = 1, waitingMax = 64 } = {}) {
  const lengths: number[] = [];
  const onChange = (length: number) => lengths.push(length);
  const queue = new TurnQueue({ concurrency, waitingMax, onChange });
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const run = (
    client: string,
    key: string,
    signals: { left?: AbortSignal; late?: AbortSignal } = {},
  ) => {
    const { left = new AbortController().signal, late = new AbortController().signal } = signals;
    const request = new Request('http://localhost/', { signal: left });
    return queue.run({ request, client, key, deadline: late }, () => {
      if (!ends.has(key)) started.push(key);
      const end = ends.get(key) ?? Promise.withResolvers<string>();
      ends.set(key, end);
      return end.promise;
    });
  };
  /** Finishes the renders in this order, each once it has been started. */
  const finish = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await expect.poll(() => started).toContain(key);
      ends.get(key)?.resolve(key);
    }
  };
  return { run, started, finish, ends, lengths };
}

test('clients take turns, however much one has requested', async () => {
  const { run, started, finish } = setUp();
  const all = ['a1', 'a2', 'a3'].map((key) => run(hostile, key));
  all.push(...['b1', 'b2'].map((key) => run(visitor, key)));
  all.push(run(other, 'c1'));

  await finish('a1', 'a2', 'b1', 'c1', 'a3', 'b2');

  await Promise.all(all);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a visitor waits for one render of a client that keeps the queue filled', async () => {
  const { run, started, finish } = setUp();
  const all = Array.from({ length: 20 }, (_, index) => run(hostile, `a${index}`));
  await finish('a0', 'a1', 'a2', 'a3');
  await expect.poll(() => started).toContain('a4');

  all.push(run(visitor, 'b'));
  await finish('a4', 'a5', 'b');

  expect(started.slice(0, 7)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b']);
  await finish(...Array.from({ length: 14 }, (_, index) => `a${index + 6}`));
  await Promise.all(all);
});

test('so many run at once as it is told', async () => {
  const { run, started, finish } = setUp({ concurrency: 2 });
  const all = ['a1', 'a2', 'a3'].map((key) => run(visitor, key));

  await expect.poll(() => started).toEqual(['a1', 'a2']);
  await finish('a2');
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3']);

  await finish('a1', 'a3');
  await Promise.all(all);
});

test('a visitor does not wait in the line of the client that asked for the same first', async () => {
  const { run, started, finish } = setUp();
  const all = ['a', 'b', 'c', 'popular'].map((key) => run(hostile, key));

  const visit = run(visitor, 'popular');
  await finish('a', 'b', 'popular');

  expect(await visit).toBe('popular');
  await finish('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'popular']);
  expect(started).toEqual(['a', 'b', 'popular', 'c']);
});

test('a full queue rejects the last render of the client that has most in it', async () => {
  const { run, started, finish, lengths } = setUp({ waitingMax: 3 });
  const first = run(hostile, 'a1');
  const waiting = ['a2', 'a3', 'a4'].map((key) => run(hostile, key));

  const visit = run(visitor, 'b1');

  await expect(waiting[2]).rejects.toMatchObject({ outcome: 'queue-full' });
  await expect(run(hostile, 'a5')).rejects.toMatchObject({ outcome: 'queue-full' });
  await finish('a1', 'a2', 'b1', 'a3');
  await Promise.all([first, waiting[0], waiting[1], visit]);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(lengths.at(-1)).toBe(0);
});

test('any number may wait for the same render while the queue is full', async () => {
  const { run, finish } = setUp({ waitingMax: 1 });
  const first = run(hostile, 'a1');

  const same = Array.from({ length: 20 }, () => run(visitor, 'b'));

  await expect(run(visitor, 'c')).rejects.toMatchObject({ outcome: 'queue-full' });
  await finish('a1', 'b');
  await first;
  expect(new Set(await Promise.all(same))).toEqual(new Set(['b']));
});

test('one that joins a render that runs does not wait', async () => {
  const { run, started, finish } = setUp({ waitingMax: 0 });
  const first = run(hostile, 'a');
  await expect.poll(() => started).toEqual(['a']);

  const second = run(visitor, 'a');
  await finish('a');

  expect(await Promise.all([first, second])).toEqual(['a', 'a']);
});

test.for([
  ['left', 'disconnected'],
  ['late', 'timed-out'],
] as const)('a request that has %s before its turn is %s', async ([signal, outcome]) => {
  const { run, started, finish } = setUp();
  const ending = new AbortController();
  const first = run(hostile, 'a');
  const left = run(visitor, 'b', { [signal]: ending.signal });
  const next = run(other, 'c');

  ending.abort();

  await expect(left).rejects.toMatchObject({ outcome });
  await expect(run(visitor, 'd', { [signal]: ending.signal })).rejects.toMatchObject({ outcome });
  await finish('a', 'c');
  await Promise.all([first, next]);
  expect(started).toEqual(['a', 'c']);
});

test('the render is done for those that wait, though the first of them has left', async () => {
  const { run, finish } = setUp();
  const leaving = new AbortController();
  const running = run(other, 'a');
  const first = run(hostile, 'b', { left: leaving.signal });
  const second = run(visitor, 'b');

  leaving.abort();

  await expect(first).rejects.toMatchObject({ outcome: 'disconnected' });
  await finish('a', 'b');
  await running;
  expect(await second).toBe('b');
});

test('a render that fails frees its place', async () => {
  const { run, started, finish, ends } = setUp();
  const failing = run(hostile, 'a');
  const next = run(hostile, 'b');
  await expect.poll(() => started).toEqual(['a']);

  ends.get('a')?.reject(new Error('broken'));

  await expect(failing).rejects.toThrow('broken');
  await finish('b');
  expect(await next).toBe('b');
});
