/**
 * A Response whose parts the front can write to the socket as they are.
 *
 * Making a native Response and reading its body through a stream costs more than the rest of a
 * request together. So handlers return this: to the front it is its three parts, to everything else
 * (Next, tests, a serverless host) it is a Response, made only when somebody looks.
 */
export type ResponseParts = Readonly<{
  status: number;
  /** Names and values in turn, as node:http's `writeHead` takes them. */
  headers: string[];
  body: Uint8Array<ArrayBuffer> | null;
}>;

// From the registry of symbols: this module may be loaded twice in one process.
const partsKey = Symbol.for('marquee.prepared-response.parts');
const nativeKey = Symbol('native');

type Prepared = { readonly [partsKey]: ResponseParts; [nativeKey]?: Response };

const prototype: object = Object.create(Response.prototype);
for (const [name, property] of Object.entries(
  Object.getOwnPropertyDescriptors(Response.prototype),
)) {
  if (name !== 'constructor') Object.defineProperty(prototype, name, toForwarded(property));
}

/** Makes a Response from its parts, which belong to it from then on. */
export function prepareResponse(parts: ResponseParts): Response {
  const response = Object.create(prototype);
  response[partsKey] = parts;
  return response;
}

/** The parts of a prepared response; undefined for any other Response. */
export function partsOf(response: Response): ResponseParts | undefined {
  return (response as { [partsKey]?: ResponseParts })[partsKey];
}

/** Adds headers, names and values in turn, to a response of either kind. */
export function addHeaders(response: Response, headers: readonly string[]): void {
  const parts = partsOf(response);
  if (parts !== undefined) {
    for (const text of headers) parts.headers.push(text);
    return;
  }
  for (let index = 0; index < headers.length; index += 2) {
    response.headers.set(headers[index] ?? '', headers[index + 1] ?? '');
  }
}

function toForwarded({ get, value }: PropertyDescriptor): PropertyDescriptor {
  if (get !== undefined) {
    return {
      get(this: Prepared) {
        return get.call(toNative(this));
      },
    };
  }
  return {
    value(this: Prepared, ...given: unknown[]) {
      return value.apply(toNative(this), given);
    },
  };
}

function toNative(prepared: Prepared): Response {
  prepared[nativeKey] ??= createNative(prepared[partsKey]);
  return prepared[nativeKey];
}

function createNative({ status, headers, body }: ResponseParts): Response {
  const list = new Headers();
  for (let index = 0; index < headers.length; index += 2) {
    list.append(headers[index] ?? '', headers[index + 1] ?? '');
  }
  return new Response(body, { status, headers: list });
}
