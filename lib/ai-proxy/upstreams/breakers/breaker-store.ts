import { LRUCache } from 'lru-cache';
import type { Breaker, Outcome, Pass } from './breaker.ts';

/** Breakers by name, created with the first failure. */
export type BreakerStore = Readonly<{
  enter: (name: string) => Pass | number;
  responded: (name: string, pass: Pass) => void;
  end: (name: string, pass: Pass, outcome: Outcome) => void;
  /** The names of those that are not closed. */
  open: () => readonly string[];
  /** Failures in a row. */
  failures: (name: string) => number;
}>;

/** Clients choose the names, so their number is bounded. */
const breakersMax = 1000;

/** Stores only breakers with failures. */
export function createBreakerStore(create: (name: string) => Breaker): BreakerStore {
  const breakers = new LRUCache<string, Breaker>({ max: breakersMax });
  return {
    enter: (name) => breakers.get(name)?.enter() ?? 'closed',
    responded: (name, pass) => breakers.get(name)?.responded(pass),
    open: () => [...breakers].filter(([, { state }]) => state() !== 'closed').map(([name]) => name),
    failures: (name) => breakers.get(name)?.failures() ?? 0,
    end(name, pass, outcome) {
      const known = breakers.get(name);
      if (known === undefined && outcome !== 'failed') return;
      const breaker = known ?? create(name);
      breaker.end(pass, outcome);
      if (breaker.isFresh()) breakers.delete(name);
      else breakers.set(name, breaker);
    },
  };
}
