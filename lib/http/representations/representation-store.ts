import { LRUCache } from 'lru-cache';
import { createFairFlight } from '../fair-flight.ts';
import type { FairQueue, Turn } from '../fair-queue.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { Representation } from './representation.ts';

/**
 * Stores representations by the version of what they show, so nothing has to be invalidated: those of
 * old versions are evicted as the least recently used.
 */
export type RepresentationStore = Readonly<{
  /**
   * Gets a representation, or creates it once for all requests that wait for it.
   * @param turn if it takes much CPU time to create: in the queue, when it is the request's turn.
   */
  get: (
    version: string,
    key: string,
    create: () => Representation | Promise<Representation>,
    turn?: Turn,
  ) => Promise<Representation>;
}>;

/** @param bytesMax the total size of what is stored. */
export function createRepresentationStore(
  bytesMax: number,
  queue: FairQueue | null = null,
): RepresentationStore {
  const stored = new LRUCache<string, Representation>({
    maxSize: bytesMax,
    sizeCalculation: (representation, key) => toStoredBytes(representation) + key.length,
  });
  const flights = createSingleFlight<Representation>();
  const fairFlights = queue && createFairFlight<Representation>(queue);
  return {
    async get(version, key, create, turn) {
      const versionedKey = `${version} ${key}`;
      const found = stored.get(versionedKey);
      if (found !== undefined) return found;
      const createStored = async () => {
        const created = await create();
        stored.set(versionedKey, created);
        return created;
      };
      return turn === undefined || fairFlights === null
        ? flights.run(versionedKey, createStored)
        : fairFlights.run(versionedKey, turn, createStored);
    },
  };
}

// The plain bytes, and the compressed ones that may follow.
function toStoredBytes({ sizeBytes }: Representation): number {
  return Math.ceil(sizeBytes * 1.4) + 1024;
}
