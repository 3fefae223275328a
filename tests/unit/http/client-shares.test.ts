import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientShares } from '#lib/http/client-shares.ts';
import { requestFrom } from '../../support/clients/request-from.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const [hostile, visitor] = ['198.51.100.1', '203.0.113.1'];

function setUp() {
  const clock = createFakeClock();
  const shares = createClientShares({ trustedHops: 0, now: clock.now });
  const see = (address: string) => shares.see(incomingFrom(address));
  const spend = (totalMs: number) => {
    for (let spentMs = 0; spentMs < totalMs; spentMs += 20) {
      clock.move(20);
      shares.spend(hostile, 20);
    }
  };
  return { shares, clock, see, spend };
}

function incomingFrom(address: string): Pick<IncomingMessage, 'headers' | 'socket'> {
  return { headers: {}, socket: { remoteAddress: address } as Socket };
}

test('alone, a client never waits', () => {
  const { shares, see, spend } = setUp();

  see(hostile);
  spend(60_000);
  see(hostile);

  expect(shares.toWaitMs(hostile)).toBe(0);
});

test('beside others, a client that has used two seconds gets a twentieth of the time', () => {
  const { shares, clock, see, spend } = setUp();

  see(visitor);
  see(hostile);
  spend(1_900);
  expect(shares.toWaitMs(hostile)).toBe(0);
  spend(60_000);
  see(visitor);
  see(hostile);

  expect(shares.toWaitMs(hostile)).toBe(400);
  expect(shares.toWaitMs(visitor)).toBe(0);
  clock.move(400);
  expect(shares.toWaitMs(hostile)).toBe(0);
  shares.spend(hostile, 50);
  expect(shares.toWaitMs(hostile)).toBe(1_000);
});

test('once the others have left, it has all of the time again', () => {
  const { shares, clock, see, spend } = setUp();
  spend(60_000);
  see(visitor);
  see(hostile);
  shares.spend(hostile, 5_000);

  clock.move(10_000);
  see(hostile);

  expect(shares.toWaitMs(hostile)).toBe(0);
});

test('checks from the machine itself and from private networks are not others', () => {
  const { shares, see, spend } = setUp();
  spend(60_000);

  see('127.0.0.1');
  see('10.0.0.1');
  see(hostile);

  expect(shares.toWaitMs(hostile)).toBe(0);
});

test('in each turn of the event loop one request of each client goes on', async () => {
  const { shares } = setUp();
  const done: string[] = [];
  const handle = async (address: string, name: string) => {
    await shares.takeTurn(requestFrom(address));
    done.push(name);
  };

  const all = ['a1', 'a2', 'a3'].map((name) => handle(hostile, name));
  all.push(handle(visitor, 'b1'));
  await Promise.resolve();
  expect(done).toEqual(['a1', 'b1']);
  await new Promise(setImmediate);
  all.push(handle(visitor, 'b2'));
  await Promise.all(all);

  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test.for(['127.0.0.1', '10.1.2.3', ''])('all requests from %s go on at once', async (address) => {
  const { shares } = setUp();

  expect(shares.takeTurn(requestFrom(address))).toBeUndefined();
  expect(shares.takeTurn(requestFrom(address))).toBeUndefined();
});
