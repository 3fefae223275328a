import { expect, test } from 'vitest';
import { createTurns } from '#lib/http/time-slices.ts';

test('of those that wait, one goes on in each turn of the event loop, in their order', async () => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const waitForTurn = createTurns();
  const wentOn: { name: string; turn: number }[] = [];
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(
    names.map(async (name) => {
      await waitForTurn();
      wentOn.push({ name, turn });
    }),
  );
  clearImmediate(counting);
  expect(wentOn.map(({ name }) => name)).toEqual(names);
  expect(new Set(wentOn.map((waiter) => waiter.turn)).size).toBe(names.length);
});
