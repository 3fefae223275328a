import { expect, test } from 'vitest';
import { createInvalidKeyThrottle } from '#lib/keys/invalid-key-throttle.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** Long enough that whatever waits for it still waits at the end of a test. */
const delayMs = 600_000;

function makeThrottle() {
  const clock = createFakeClock();
  const throttle = createInvalidKeyThrottle({ uptime: clock.now, delayMs });
  /** Which of so many refusals in a row have to wait. */
  const refuse = async (client: string, times: number) => {
    const waits = Array.from({ length: times }, async () => {
      const pending = Symbol();
      const next = new Promise((resolve) => setImmediate(resolve, pending));
      return (await Promise.race([throttle(client), next])) === pending;
    });
    return (await Promise.all(waits)).filter(Boolean).length;
  };
  return { clock, refuse };
}

// ASVS 2.4.1
test('a client waits from the 21st invalid key in a minute on', async () => {
  const { clock, refuse } = makeThrottle();

  expect(await refuse('203.0.113.7', 20)).toBe(0);
  expect(await refuse('203.0.113.7', 5)).toBe(5);

  clock.move(61_000);
  expect(await refuse('203.0.113.7', 20)).toBe(0);
});

test('each address is counted for itself, and a network of IPv6 as one', async () => {
  const { refuse } = makeThrottle();

  expect(await refuse('203.0.113.7', 20)).toBe(0);
  expect(await refuse('203.0.113.8', 20)).toBe(0);
  expect(await refuse('2001:db8:1::1', 20)).toBe(0);
  expect(await refuse('2001:db8:1::2', 3)).toBe(3);
});
