/** Efforts and verbosities, from the least to the most. */
const levels = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The levels that a text names. */
export function findLevels(text: string): readonly string[] {
  const words = new Set(text.match(/\b[a-z]+\b/g));
  return levels.filter((level) => words.has(level));
}

export function isLevel(value: unknown): boolean {
  return levels.some((level) => level === value);
}

/** Of two that are as near, the higher one, as DeepSeek does it. Null: none, or only one that turns thinking off. */
export function toNearestLevel(value: string, values: readonly string[]): string | null {
  const order: readonly string[] = levels;
  const place = order.indexOf(value);
  if (place < 0 && values.length > 0) return value;
  const usable = values.filter((level) => level !== 'none' || value === 'none');
  const [nearest = null] = usable.toSorted((a, b) => {
    const [first, second] = [order.indexOf(a), order.indexOf(b)];
    return Math.abs(first - place) - Math.abs(second - place) || second - first;
  });
  return nearest;
}
