const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A 32-bit seed from a text (FNV-1a). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** An Airtable id (`rec`, `att` or `itr` and 14 characters), the same for the same text. */
export function toAirtableId(prefix: 'rec' | 'att' | 'itr', text: string): string {
  // Two seeds: with one of 32 bits, ten thousand ids would collide with a probability of 1 %.
  const left = createRandom(toSeed(`${prefix}:${text}`));
  const right = createRandom(toSeed(`${text}:${prefix}`));
  let id = '';
  for (let index = 0; index < 7; index += 1) {
    id += base62.charAt(Math.floor(left() * 62)) + base62.charAt(Math.floor(right() * 62));
  }
  return prefix + id;
}

/** Returns the items in random order; the input is not changed. */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, rank: random() }));
  return keyed.sort((left, right) => left.rank - right.rank).map(({ item }) => item);
}
