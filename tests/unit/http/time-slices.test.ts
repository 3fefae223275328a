import { expect, test } from 'vitest';
import { createSharedTurn, createTurns, createTurnsByName } from '#lib/http/time-slices.ts';

/** In which turn of the event loop each goes on that begins to wait now. */
async function readTurns(
  names: readonly string[],
  waitForTurn: (name: string) => Promise<void> | undefined,
) {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const wentOn: { name: string; turn: number }[] = [];
  await Promise.all(
    names.map(async (name) => {
      await waitForTurn(name);
      wentOn.push({ name, turn });
    }),
  );
  clearImmediate(counting);
  return wentOn;
}

test('of those that wait, one goes on in each turn of the event loop, in their order', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const wentOn = await readTurns(names, createTurns());
  expect(wentOn.map(({ name }) => name)).toEqual(names);
  expect(new Set(wentOn.map((waiter) => waiter.turn)).size).toBe(names.length);
});

test('of each name, one goes on in each turn: the first at once, whatever others send', async () => {
  const wentOn = await readTurns(['a', 'a', 'a', 'b', 'a', 'c'], createTurnsByName());
  const turnsOf = (wanted: string) =>
    wentOn.filter(({ name }) => name === wanted).map(({ turn }) => turn);
  expect(new Set(turnsOf('a')).size).toBe(4);
  expect([turnsOf('a')[0], turnsOf('b'), turnsOf('c')]).toEqual([0, [0], [0]]);
});

test('what comes in during a turn takes each step together, and what comes later takes the next turn', async () => {
  const joinTurn = createSharedTurn();
  const steps: string[] = [];
  const go = async (name: string) => {
    await joinTurn();
    steps.push(`${name} reads`);
    await null;
    steps.push(`${name} plans`);
  };
  const early = [go('a'), go('b')];
  await joinTurn();
  await Promise.all([...early, go('c')]);
  const together = ['a reads', 'b reads', 'a plans', 'b plans'];
  expect(steps).toEqual([...together, 'c reads', 'c plans']);
});
