/** Options of an LRU cache with at most so many entries. With `max` it would allocate memory for all at its start. */
export function boundEntries(entriesMax: number) {
  return { maxSize: entriesMax, sizeCalculation: () => 1 } as const;
}
