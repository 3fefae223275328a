import { expect, test } from 'vitest';
import { createClientShares } from '#lib/http/client-shares.ts';
import { createFairQueue, TurnError } from '#lib/http/fair-queue.ts';
import { requestFrom } from '../../support/clients/request-from.ts';

function setUp(options: Partial<Parameters<typeof createFairQueue>[0]> = {}) {
  const queue = createFairQueue({
    concurrency: 2,
    shares: createClientShares({ trustedHops: 0 }),
    ...options,
  });
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (
    address: string,
    name: string,
    turn: { mayBeRejected?: true; signal?: AbortSignal } = {},
  ) =>
    queue.run({ request: requestFrom(address, turn.signal), ...turn }, () => {
      started.push(name);
      return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    });
  const finish = async (name: string) => {
    running.get(name)?.();
    await settled();
  };
  return { queue, run, started, finish };
}

const settled = async () => {
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
};

const [hostile, visitor, other] = ['198.51.100.1', '203.0.113.1', '203.0.113.2'];

test('of one client only one runs, and others do not wait for it', async () => {
  const { run, started } = setUp();

  for (const name of ['a1', 'a2', 'a3']) void run(hostile, name);
  await settled();
  expect(started).toEqual(['a1']);
  void run(visitor, 'b1');
  await settled();

  expect(started).toEqual(['a1', 'b1']);
});

test('clients take turns, however much one has requested', async () => {
  const { run, started, finish } = setUp({ concurrency: 1 });
  for (const name of ['a1', 'a2', 'a3']) void run(hostile, name);
  for (const name of ['b1', 'b2']) void run(visitor, name);
  void run(other, 'c1');

  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    await settled();
    await finish(name);
  }

  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an IPv6 network of /64 is one client', async () => {
  const { run, started } = setUp();

  void run('2001:db8:1:2::1', 'a1');
  void run('2001:db8:1:2:ffff::2', 'a2');
  void run('2001:db8:1:3::1', 'b1');
  await settled();

  expect(started).toEqual(['a1', 'b1']);
});

test.for(['127.0.0.1', '::1', '10.1.2.3', '192.168.1.1', '::ffff:172.16.0.1', 'fd00::1', ''])(
  'requests from %s are never taken for one client',
  async (address) => {
    const { run, started } = setUp();

    void run(address, 'a1');
    void run(address, 'a2');
    await settled();

    expect(started).toEqual(['a1', 'a2']);
  },
);

test('a full queue rejects the last of the client that has most in it', async () => {
  const lengths: number[] = [];
  const { run, started, finish } = setUp({
    concurrency: 1,
    waitingMax: 3,
    onChange: (waiting) => lengths.push(waiting),
  });
  const bounded = { mayBeRejected: true } as const;
  void run(hostile, 'a1');
  const waiting = ['a2', 'a3', 'a4'].map((name) => run(hostile, name, bounded));
  await settled();

  const visit = run(visitor, 'b1', bounded);

  await expect(waiting[2]).rejects.toMatchObject({ outcome: 'queue-full' });
  await expect(run(hostile, 'a5', bounded)).rejects.toThrow(TurnError);
  await finish('a1');
  await finish('b1');
  expect(await visit).toBe('b1');
  await finish('a2');
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect(Math.max(...lengths)).toBe(3);
});

test('what may not be rejected waits, however full the queue is', async () => {
  const { run, started, finish } = setUp({ concurrency: 1, waitingMax: 0 });
  const names = Array.from({ length: 50 }, (_, number) => `a${number}`);
  const all = names.map((name) => run(hostile, name));

  for (const name of names) {
    await settled();
    await finish(name);
  }

  expect(await Promise.all(all)).toEqual(names);
  expect(started).toEqual(names);
});

test('a client that disconnects, or waits too long, leaves the queue', async () => {
  const { run, started, finish } = setUp({ concurrency: 1 });
  const leaving = new AbortController();
  void run(hostile, 'a1');
  const left = run(visitor, 'b1', { signal: leaving.signal });
  const next = run(other, 'c1');
  await settled();

  leaving.abort();

  await expect(left).rejects.toMatchObject({ outcome: 'disconnected' });
  await finish('a1');
  await finish('c1');
  expect(await next).toBe('c1');
  expect(started).toEqual(['a1', 'c1']);
});

test('work that fails frees its place', async () => {
  const { queue, run, started } = setUp({ concurrency: 1 });

  const failing = queue.run({ request: requestFrom(hostile) }, () => {
    throw new Error('broken');
  });
  void run(hostile, 'a2');

  await expect(failing).rejects.toThrow('broken');
  await settled();
  expect(started).toEqual(['a2']);
});

test('a client that has used its share waits while others are active', async () => {
  const waits = new Map([[hostile, 40]]);
  const shares = createClientShares({ trustedHops: 0 });
  const { run, started } = setUp({
    shares: { ...shares, toWaitMs: (client) => waits.get(client) ?? 0 },
  });

  void run(hostile, 'a1');
  void run(visitor, 'b1');
  await settled();
  expect(started).toEqual(['b1']);
  waits.clear();

  await expect.poll(() => started).toEqual(['b1', 'a1']);
});

test('what a client makes the others wait for is counted', async () => {
  const spent: string[] = [];
  const shares = createClientShares({ trustedHops: 0 });
  const { run, finish } = setUp({
    shares: { ...shares, spend: (client, ms) => spent.push(`${client} ${Math.round(ms / 50)}`) },
  });

  void run(hostile, 'a1');
  await new Promise((resolve) => setTimeout(resolve, 55));
  await finish('a1');

  expect(spent).toEqual([`${hostile} 1`]);
});
