type Parameter = Readonly<{ name: string; in: 'query' | 'path' }>;
type Operation = Readonly<{ path: string; parameters: readonly Parameter[] }>;

/**
 * The address, without its host, of a call of an operation with these values: those of its path in
 * their places, the others in the query. Empty ones, and names that it does not take, are left out.
 */
export function toRequestPath(
  { path, parameters }: Operation,
  values: Iterable<readonly [name: string, value: string]>,
): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of values) {
    const place = parameters.find((parameter) => parameter.name === name)?.in;
    if (place === undefined || value === '') continue;
    if (place === 'query') query.append(name, value);
    // A function, since `$` means something in a replacement.
    else filled = filled.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed()));
  }
  // One that is missing: the address above it says so better than a brace would.
  const whole = filled.replace(/\/\{\w+\}/g, '');
  return query.size === 0 ? whole : `${whole}?${query}`;
}
