import { LRUCache } from 'lru-cache';
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
}>;

/** @param bytesMax the total size of what is stored. */
export function createRepresentationStore(bytesMax: number): RepresentationStore {
  const stored = new LRUCache<string, Representation>({
    maxSize: bytesMax,
    sizeCalculation: (representation, key) => toStoredBytes(representation) + key.length,
  });
  const pending = new Map<string, Promise<Representation>>();

  function createOnce(
    key: string,
    create: () => Representation | Promise<Representation>,
  ): Promise<Representation> {
    const creating = Promise.try(create)
      .then((representation) => {
        stored.set(key, representation);
        return representation;
      })
      .finally(() => pending.delete(key));
    pending.set(key, creating);
    return creating;
  }

  return {
    async get(version, key, create) {
      const versionedKey = `${version} ${key}`;
      return (
        stored.get(versionedKey) ?? pending.get(versionedKey) ?? createOnce(versionedKey, create)
      );
    },
  };
}

// The plain bytes, and the compressed ones that may follow.
function toStoredBytes({ sizeBytes }: Representation): number {
  return Math.ceil(sizeBytes * 1.4) + 1024;
}
