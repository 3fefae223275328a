import { setImmediate as nextTurn } from 'node:timers/promises';

/** Awaited inside long loops: yields to the event loop once the current time slice is used up. */
export type YieldWhenDue = () => Promise<void> | undefined;

/** Lets waiting requests run. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
}

/** In each turn of the event loop one of those that wait goes on, in their order: what comes in meanwhile is read first. */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(yieldToEventLoop);
    return last;
  };
}

/** For all that takes long in this process: a request that needs little waits for one piece of it in each turn. */
export const waitForLongTurn = createTurns();

/**
 * In each turn of the event loop one of each name goes on, such as one request of each owner of keys: who sends much waits
 * for their own, and takes no more of a turn than who sends little.
 */
export function createTurnsByName(): (name: string) => Promise<void> | undefined {
  const lasts = new Map<string, Promise<void>>();
  return (name) => {
    const last = lasts.get(name);
    const turn = Promise.resolve(last)
      .then(yieldToEventLoop)
      .then(() => {
        if (lasts.get(name) === turn) lasts.delete(name);
      });
    lasts.set(name, turn);
    return last;
  };
}

/**
 * What comes in during a turn of the event loop goes on together after it: the same step of each in a row, so that its code
 * is still in the processor's caches.
 */
export function createSharedTurn(): () => Promise<void> {
  let turn: Promise<void> | null = null;
  return () => {
    turn ??= nextTurn().then(() => {
      turn = null;
    });
    return turn;
  };
}

const sliceMs = 2;

/**
 * Divides long work into time slices, so that requests are served while 10,000 rows are read and indexed: a turn of the
 * event loop has one of them, however many lists are being written.
 */
export function createTimeSlices(): YieldWhenDue {
  let sliceEnds = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnds) return undefined;
    return waitForLongTurn().then(() => {
      sliceEnds = performance.now() + sliceMs;
    });
  };
}
