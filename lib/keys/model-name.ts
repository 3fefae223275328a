/** Suffixes by which OpenRouter's clients choose among the hosts of a model. */
const variants = /:(?:online|nitro|free|thinking|floor|exacto)$/;

/** A model as clients name it: `vendor/model`, `vendor/model:online`, `@preset/name`, or a model and a preset. */
export type ModelName = Readonly<{
  /** Without its variant; null if only a preset is named. */
  id: string | null;
  /** `@preset/name`: a configuration at the upstream, which may choose a model itself. */
  preset: string | null;
}>;

export function parseModelName(name: string): ModelName {
  const at = name.indexOf('@preset/');
  const model = at === -1 ? name : name.slice(0, at);
  return {
    id: at === 0 ? null : model.replace(variants, ''),
    preset: at === -1 ? null : name.slice(at),
  };
}

/**
 * Whether an allow-list (null: all) has a model: exactly, without its variant, or by `prefix/*`. A preset must be on
 * the list itself.
 */
export function isOnAllowList(patterns: readonly string[] | null, name: string): boolean {
  if (patterns === null || patterns.includes(name)) return true;
  const { id, preset } = parseModelName(name);
  return (
    (id === null || matchesAny(patterns, id)) && (preset === null || matchesAny(patterns, preset))
  );
}

function matchesAny(patterns: readonly string[], id: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('/*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern,
  );
}
