type Parameter = Readonly<{ name: string; in: 'query' | 'path' }>;
type Operation = Readonly<{ path: string; parameters: readonly Parameter[] }>;

/**
 * The path and query of a request to an operation with these values. Empty values and unknown parameters
 * are ignored.
 */
export function toRequestPath(
  { path, parameters }: Operation,
  values: Iterable<readonly [name: string, value: string]>,
): string {
  const query = new URLSearchParams();
  let filledPath = path;
  for (const [name, value] of values) {
    const location = parameters.find((parameter) => parameter.name === name)?.in;
    if (location === undefined || value === '') continue;
    if (location === 'query') query.append(name, value);
    // A function, since `$` is special in a replacement string.
    else
      filledPath = filledPath.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed()));
  }
  // Without a missing path parameter, its collection is requested.
  const requestPath = filledPath.replace(/\/\{\w+\}/g, '');
  return query.size === 0 ? requestPath : `${requestPath}?${query}`;
}
