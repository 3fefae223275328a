import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from './errors.ts';

/** The two ends of a request that came through node:http, where a Request stands for one. */
export type NodeEnds = Readonly<{ incoming: IncomingMessage; outgoing: ServerResponse }>;

// From the registry of symbols: this module may be loaded twice in one process.
export const nodeEndsKey = Symbol.for('marquee.node-ends');

function nodeEndsOf(request: Request): NodeEnds | undefined {
  return (request as Partial<Record<typeof nodeEndsKey, NodeEnds>>)[nodeEndsKey];
}

/**
 * Most that is read and thrown away of a body that is too long, in bytes: many clients see an answer only
 * once they have sent all, and lose it where the connection is closed before.
 */
const discardedBytesMax = 32 * 1024 * 1024;

/**
 * Reads the whole body of a request, past web streams where there is a socket to read from.
 * @param bytesMax more than that is not kept.
 * @throws HttpError 413 for a longer one, 400 for one that was cut short.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const incoming = nodeEndsOf(request)?.incoming;
  if (declared > discardedBytesMax) throw tooLarge(bytesMax, { Connection: 'close' });
  if (incoming !== undefined) return readMessage(incoming, bytesMax);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  const body = createCollector(bytesMax);
  for await (const chunk of request.body ?? []) {
    if (!body.add(chunk)) throw tooLarge(bytesMax);
  }
  return body.whole();
}

/** Whether the caller has gone away before the answer was sent whole. */
export function isDisconnected(request: Request): boolean {
  const outgoing = nodeEndsOf(request)?.outgoing;
  if (outgoing === undefined) return request.signal.aborted;
  return outgoing.destroyed && !outgoing.writableFinished;
}

/** Calls back once if the caller goes away before the answer has been sent whole. */
export function onDisconnect(request: Request, callback: () => void): void {
  if (isDisconnected(request)) {
    callback();
    return;
  }
  const outgoing = nodeEndsOf(request)?.outgoing;
  if (outgoing === undefined) {
    request.signal.addEventListener('abort', callback, { once: true });
    return;
  }
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) callback();
  });
}

// By events: an iterator costs a promise a chunk, and most bodies are one chunk. One that is too long is
// refused at once, and read to its end all the same.
function readMessage(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) reject(cutShort());
    const body = createCollector(bytesMax);
    incoming.on('data', (chunk: Buffer) => {
      if (body.add(chunk)) return;
      reject(tooLarge(bytesMax));
      if (body.length() > discardedBytesMax) incoming.destroy();
    });
    incoming.on('end', () => resolve(body.whole()));
    incoming.on('error', () => {});
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(cutShort());
    });
  });
}

type Collector = Readonly<{
  /** @returns false once it is too much; no more is kept then. */
  add: (chunk: Uint8Array) => boolean;
  /** Of all that came, bytes. */
  length: () => number;
  whole: () => Uint8Array;
}>;

function createCollector(bytesMax: number): Collector {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(chunk) {
      length += chunk.length;
      if (length > bytesMax) chunks.length = 0;
      else chunks.push(chunk);
      return length <= bytesMax;
    },
    length: () => length,
    whole() {
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    },
  };
}

function cutShort(): HttpError {
  return new HttpError('bad_request', { message: 'The request’s body was cut short.' });
}

function tooLarge(bytesMax: number, headers: Readonly<Record<string, string>> = {}): HttpError {
  return new HttpError('payload_too_large', {
    message: `The request’s body is longer than ${bytesMax} bytes.`,
    hint: 'Send less, or in several requests.',
    headers,
  });
}
