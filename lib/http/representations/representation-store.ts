import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../single-flight.ts';
import type { Representation } from './representation.ts';

/**
 * Stores representations by the version of what they show, so nothing has to be invalidated: those of
 * old versions are evicted as the least recently used.
 */
export type RepresentationStore = Readonly<{
  /** Gets a representation, or creates it once for all requests that wait for it. */
  get: (
    version: string,
    key: string,
    create: () => Representation | Promise<Representation>,
  ) => Promise<Representation>;
  /** The representation, if it is stored. */
  find: (version: string, key: string) => Representation | undefined;
}>;

/** @param bytesMax the total size of what is stored. */
export function createRepresentationStore(bytesMax: number): RepresentationStore {
  const stored = new LRUCache<string, Representation>({
    maxSize: bytesMax,
    sizeCalculation: (representation, key) => toStoredBytes(representation) + key.length,
  });
  const flights = createSingleFlight<Representation>();
  return {
    async get(version, key, create) {
      const versionedKey = `${version} ${key}`;
      const found = stored.get(versionedKey);
      if (found !== undefined) return found;
      return flights.run(versionedKey, async () => {
        const created = await create();
        stored.set(versionedKey, created);
        return created;
      });
    },
    find: (version, key) => stored.get(`${version} ${key}`),
  };
}

// The plain bytes, and the compressed ones that may follow.
function toStoredBytes({ sizeBytes }: Representation): number {
  return Math.ceil(sizeBytes * 1.4) + 1024;
}
