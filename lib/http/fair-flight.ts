import type { FairQueue, Turn } from './fair-queue.ts';

/** Shares work among all requests for the same key: whichever has its turn first starts it, for all of them. */
type FairFlight<T> = Readonly<{
  /** @throws TurnError if this request left the queue before the work was done. */
  run: (key: string, turn: Turn, work: () => T | Promise<T>) => Promise<T>;
}>;

type Flight<T> = PromiseWithResolvers<T> & {
  readonly ended: AbortController;
  isStarted: boolean;
  waiting: number;
};

const workEnded = 'The work has ended.';

export function createFairFlight<T>(queue: FairQueue): FairFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function open(key: string): Flight<T> {
    const shared = Promise.withResolvers<T>();
    // All requests may have left.
    shared.promise.catch(() => {});
    const flight = { ...shared, ended: new AbortController(), isStarted: false, waiting: 0 };
    flights.set(key, flight);
    return flight;
  }

  function close(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key);
    // Without a reason of its own, each abort would create an exception with a stack.
    flight.ended.abort(workEnded);
  }

  return {
    async run(key, turn, work) {
      const joined = flights.get(key);
      const flight = joined ?? open(key);
      const { ended, promise } = flight;
      const start = () => {
        if (flight.isStarted) return undefined;
        flight.isStarted = true;
        return Promise.try(work)
          .then(flight.resolve, flight.reject)
          .finally(() => close(key, flight));
      };
      const signals = turn.signal === undefined ? [] : [turn.signal];
      // One that joins adds no work, so it is not rejected.
      const mayBeRejected = turn.mayBeRejected === true && joined === undefined;
      const ownTurn = {
        ...turn,
        mayBeRejected,
        signal: AbortSignal.any([...signals, ended.signal]),
      };
      flight.waiting += 1;
      try {
        return await Promise.race([promise, queue.run(ownTurn, start).then(() => promise)]);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0 && !flight.isStarted) close(key, flight);
      }
    },
  };
}
