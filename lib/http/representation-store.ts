import { LRUCache } from 'lru-cache';
import type { Representation } from './representation.ts';

/**
 * Keeps representations for as long as what they show is current: they hang on a generation (a
 * snapshot, say) and go with it, so nothing has to be invalidated.
 */
export type RepresentationStore = Readonly<{
  get: (
    generation: object,
    key: string,
    create: () => Representation | Promise<Representation>,
  ) => Representation | Promise<Representation>;
}>;

type Generation = {
  readonly made: LRUCache<string, Representation>;
  readonly pending: Map<string, Promise<Representation>>;
};

/** @param bytesMax how much one generation may hold; what was used least recently goes first. */
export function createRepresentationStore(bytesMax: number): RepresentationStore {
  const generations = new WeakMap<object, Generation>();

  function generationOf(key: object): Generation {
    const known = generations.get(key);
    if (known !== undefined) return known;
    const generation: Generation = {
      made: new LRUCache({ maxSize: bytesMax, sizeCalculation: toStoredBytes }),
      pending: new Map(),
    };
    generations.set(key, generation);
    return generation;
  }

  return {
    get(generationKey, key, create) {
      const { made, pending } = generationOf(generationKey);
      const known = made.get(key) ?? pending.get(key);
      if (known !== undefined) return known;
      const creating = Promise.resolve()
        .then(create)
        .then((representation) => {
          made.set(key, representation);
          return representation;
        })
        .finally(() => pending.delete(key));
      pending.set(key, creating);
      return creating;
    },
  };
}

// The plain bytes, the compressed ones that may join them, and what surrounds them.
function toStoredBytes({ sizeBytes }: Representation): number {
  return Math.ceil(sizeBytes * 1.4) + 1024;
}
