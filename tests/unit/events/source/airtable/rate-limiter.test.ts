import { expect, test } from 'vitest';
import { createRateLimiter, penaltyMs } from '#lib/events/source/airtable/rate-limiter.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

test('five requests start at once, and the sixth waits a little more than a second', () => {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock.now);
  for (let request = 0; request < 5; request++) expect(limiter.take()).toBe(0);
  const waitMs = limiter.take();
  expect(waitMs).toBeGreaterThan(1000);
  clock.move(waitMs);
  expect(limiter.take()).toBe(0);
});

test('no more than five requests start in any second, whatever the pauses between them', () => {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock.now);
  const started: number[] = [];
  for (let step = 0; step < 500; step++) {
    const waitMs = limiter.take();
    if (waitMs === 0) started.push(clock.now());
    else clock.move(waitMs);
    clock.move((step * 37) % 120);
  }
  for (const time of started) {
    expect(
      started.filter((other) => other >= time && other < time + 1000).length,
    ).toBeLessThanOrEqual(5);
  }
  expect(started.length).toBeGreaterThan(100);
});

test('a block ends after its time', () => {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock.now);
  limiter.block(penaltyMs);
  expect(limiter.blockedForMs()).toBe(penaltyMs);
  clock.move(penaltyMs - 1);
  expect(limiter.blockedForMs()).toBe(1);
  clock.move(1);
  expect(limiter.blockedForMs()).toBe(0);
});

test('a shorter block does not end a longer one', () => {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock.now);
  limiter.block(60_000);
  limiter.block(10_000);
  expect(limiter.blockedForMs()).toBe(60_000);
});

test('no block is longer than ten minutes, whatever the upstream asks for', () => {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock.now);
  limiter.block(99_999_000);
  clock.move(600_001);
  expect(limiter.blockedForMs()).toBe(0);
});
