/** A code sample that calls an operation. */
export type Sample = Readonly<{
  title: string;
  /** The info string of a Markdown code fence. */
  language: string;
  code: string;
}>;

type SampleParameter = Readonly<{
  name: string;
  example: string | null;
  input: Readonly<{ kind: string; choices?: readonly string[] }>;
}>;

type Call = Readonly<{
  path: string;
  serverUrl: string;
  parameters: readonly SampleParameter[];
  isJson: boolean;
}>;

/** Code samples without dependencies, one per language. */
export function toSamples(call: Call): Sample[] {
  const url = toExampleUrl(call);
  return [
    { title: 'curl', language: 'sh', code: `curl '${url}'` },
    { title: 'JavaScript', language: 'js', code: toJavaScript(url, call.isJson) },
    { title: 'Python', language: 'python', code: toPython(url, call.isJson) },
  ];
}

// The first enumeration with its first value, and a small limit.
function toExampleUrl({ path, serverUrl, parameters }: Call): string {
  const url = new URL(serverUrl + path.replace(/\{(\w+)\}/g, (_, name) => exampleOf(name)));
  for (const { name, input } of parameters) {
    if (input.choices !== undefined && url.search === '') {
      url.searchParams.set(name, input.choices[0] ?? '');
    }
    if (name === 'limit') url.searchParams.set(name, '3');
  }
  return url.href;

  function exampleOf(name: string): string {
    return parameters.find((parameter) => parameter.name === name)?.example ?? name;
  }
}

function toJavaScript(url: string, isJson: boolean): string {
  const lines = [`const response = await fetch('${url}');`];
  if (isJson) {
    lines.push(
      'const body = await response.json();',
      'if (!response.ok) throw new Error(body.hint ?? body.message);',
      'console.log(body.data);',
    );
  } else {
    lines.push(
      'if (!response.ok) throw new Error((await response.json()).message);',
      'console.log(await response.text());',
    );
  }
  return lines.join('\n');
}

function toPython(url: string, isJson: boolean): string {
  const read = isJson ? 'print(json.load(response)["data"])' : 'print(response.read().decode())';
  const imports = isJson ? ['import json'] : [];
  return [
    ...imports,
    'from urllib.request import urlopen',
    '',
    `with urlopen("${url}") as response:`,
    `    ${read}`,
  ].join('\n');
}

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
