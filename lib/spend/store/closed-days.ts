import { LRUCache } from 'lru-cache';
import { listDays } from '../periods.ts';

/** Today and yesterday: requests of yesterday may still end. */
const openDays = 2;
const cachedMax = 400;
/** The records of an old day may have been deleted or repaired. */
const cachedMs = 3_600_000;

type OfDay = Readonly<{ day: string }>;

/** Reads sums by day, those of days before yesterday once an hour. */
export function createClosedDays<T extends OfDay>(load: (fromDay: string) => Promise<T[]>) {
  const cached = new LRUCache<string, readonly T[]>({ max: cachedMax, ttl: cachedMs });

  return async (fromDay: string, today: string): Promise<readonly T[]> => {
    const closed = listDays(fromDay, today).slice(0, -openDays);
    const known: T[] = [];
    let next = 0;
    for (const day of closed) {
      const sums = cached.get(day);
      if (sums === undefined) break;
      known.push(...sums);
      next += 1;
    }
    const unknown = closed.slice(next);
    const loaded = await load(listDays(fromDay, today)[next] ?? today);
    const byDay = Map.groupBy(loaded, ({ day }) => day);
    for (const day of unknown) cached.set(day, byDay.get(day) ?? []);
    return [...known, ...loaded];
  };
}
