import { expect, test } from 'vitest';
import { createRepeatedTask, createSingleFlight } from '#lib/http/single-flight.ts';

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

test('of failures in a row the first is reported, and once that it works again', async () => {
  const reports: string[] = [];
  let fails = false;
  const run = createRepeatedTask(
    async () => {
      if (fails) throw new Error('away');
    },
    (error) => reports.push(String(error)),
    (failedMs) => reports.push(failedMs >= 0 ? 'works' : 'never failed'),
  );
  for (const next of [false, true, true, false, false, true, false]) {
    fails = next;
    await run();
  }
  expect(reports).toEqual(['Error: away', 'works', 'Error: away', 'works']);
});
