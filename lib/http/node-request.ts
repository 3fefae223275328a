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
 * Reads the whole body of a request, past web streams where there is a socket to read from.
 * @param bytesMax more than that is not read.
 * @throws HttpError 413 for a longer one, 400 for one that was cut short.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyOf(request)) {
      length += chunk.length;
      if (length > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new HttpError('bad_request', { message: 'The request’s body was cut short.', cause });
  }
  if (length > bytesMax) throw tooLarge(bytesMax);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** Calls back once if the caller goes away before the answer has been sent whole. */
export function onLeave(request: Request, callback: () => void): void {
  const ends = nodeEndsOf(request);
  if (ends === undefined) {
    if (request.signal.aborted) callback();
    else request.signal.addEventListener('abort', callback, { once: true });
    return;
  }
  const { outgoing } = ends;
  if (outgoing.destroyed && !outgoing.writableFinished) callback();
  else {
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) callback();
    });
  }
}

function bodyOf(request: Request): AsyncIterable<Uint8Array> {
  const incoming = nodeEndsOf(request)?.incoming;
  if (incoming !== undefined) return incoming;
  return request.body ?? noBody();
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

function tooLarge(bytesMax: number): HttpError {
  return new HttpError('payload_too_large', {
    message: `The request’s body is longer than ${bytesMax} bytes.`,
    hint: 'Send less, or in several requests.',
    // What is left of it is not worth reading.
    headers: { Connection: 'close' },
  });
}
