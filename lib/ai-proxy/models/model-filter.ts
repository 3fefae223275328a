/** Whether a model is among those that were named: ids, and `prefix/*` for all ids that begin so. */
export type ModelFilter = (model: string) => boolean;

/** @param patterns null lets every model through. */
export function createModelFilter(patterns: readonly string[] | null): ModelFilter {
  if (patterns === null) return () => true;
  const ids = new Set(patterns.filter((pattern) => !pattern.endsWith('/*')));
  const prefixes = patterns
    .filter((pattern) => pattern.endsWith('/*'))
    .map((pattern) => pattern.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}
