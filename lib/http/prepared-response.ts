import { createLazyPrototype } from './lazy-native.ts';

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
  /** A short text is best left one: node:http sends it in one piece with the headers, bytes apart from them. */
  body: Uint8Array<ArrayBuffer> | string | StreamedBody | null;
  /** Where the same answer holds for others who ask the same way: for how long. */
  freshness?: Freshness | undefined;
}>;

/** A body that is made while it is sent: called once, with where it goes. */
export type StreamedBody = (sink: BodySink) => void;

/** Where a streamed body goes. */
export type BodySink = Readonly<{
  /** @returns false where the reader does not keep up: wait for `onDrain`. */
  write: (chunk: string | Uint8Array) => boolean;
  end: () => void;
  /** Ends the connection so that nobody takes what was sent for the whole. */
  cut: () => void;
  onDrain: (callback: () => void) => void;
  /** Called when nothing more can be sent: all was, or the reader has gone. */
  onClose: (callback: () => void) => void;
}>;

/** The Cache-Control of an answer at this moment; null once it no longer holds. */
export type Freshness = () => string | null;

// From the registry of symbols: this module may be loaded twice in one process.
const partsKey = Symbol.for('marquee.prepared-response.parts');
const nativeKey = Symbol('native');

type Prepared = Response & { readonly [partsKey]: ResponseParts; [nativeKey]?: Response };

const prototype = createLazyPrototype(Response, (standIn) => toNative(standIn as Prepared));

/** Makes a Response from its parts, which belong to it from then on. */
export function prepareResponse(parts: ResponseParts): Response {
  const response = Object.create(prototype);
  response[partsKey] = parts;
  return response;
}

/** The parts of a prepared response; undefined for any other Response. */
export function partsOf(response: Response): ResponseParts | undefined {
  const { [partsKey]: parts, [nativeKey]: native } = response as Partial<Prepared>;
  // Somebody looked at it, and may have changed its headers.
  if (parts === undefined || native === undefined) return parts;
  return { ...parts, headers: [...native.headers].flat() };
}

/** A response of either kind with further headers, names and values in turn: itself, where they can be added. */
export function addHeaders(response: Response, headers: readonly string[]): Response {
  const { [partsKey]: parts, [nativeKey]: native } = response as Partial<Prepared>;
  if (parts !== undefined && native === undefined) {
    for (const text of headers) parts.headers.push(text);
    return response;
  }
  try {
    setHeaders(response, headers);
    return response;
  } catch {
    // The headers of a redirect, and of what fetch gives, are immutable.
    const copy = new Response(response.body, response);
    setHeaders(copy, headers);
    return copy;
  }
}

function setHeaders(response: Response, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    response.headers.set(headers[index] ?? '', headers[index + 1] ?? '');
  }
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
  return new Response(typeof body === 'function' ? toWebStream(body) : body, {
    status,
    headers: list,
  });
}

function toWebStream(body: StreamedBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const drained: (() => void)[] = [];
  const closed: (() => void)[] = [];
  const run = (callbacks: readonly (() => void)[]) => {
    for (const callback of callbacks) callback();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      body({
        write(chunk) {
          controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
          return (controller.desiredSize ?? 0) > 0;
        },
        end() {
          controller.close();
          run(closed.splice(0));
        },
        cut: () => controller.error(new Error('The body was cut.')),
        onDrain: (callback) => drained.push(callback),
        onClose: (callback) => closed.push(callback),
      });
    },
    pull: () => run(drained),
    cancel: () => run(closed.splice(0)),
  });
}
