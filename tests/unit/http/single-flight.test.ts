import { expect, test } from 'vitest';
import { createSingleFlight } from '#lib/http/single-flight.ts';

test('requests for the same key share one run, and the next one starts anew', async () => {
  const flights = createSingleFlight<number>();
  let runs = 0;
  const work = async () => ++runs;
  expect(await Promise.all([flights.run('a', work), flights.run('a', work)])).toEqual([1, 1]);
  expect(flights.isRunning('a')).toBe(false);
  expect(await flights.run('a', work)).toBe(2);
});

test('a failure reaches all that wait, and is not remembered', async () => {
  const flights = createSingleFlight<string>();
  const failing = () => Promise.reject(new Error('no'));
  const outcomes = await Promise.allSettled([flights.run('a', failing), flights.run('a', failing)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flights.run('a', async () => 'yes')).toBe('yes');
});
