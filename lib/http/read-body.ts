import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerRequest } from 'srvx';
import { createApiError, type HttpError } from './errors/errors.ts';

/** Longest body that is discarded before the response, in bytes (see discard-body.ts). */
const discardedBytesMax = 32 * 1024 * 1024;

/**
 * Reads the whole body of a request.
 * @throws HttpError 413 for a body longer than `bytesMax`, 400 for one that was cut short.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > discardedBytesMax) throw tooLarge(bytesMax, { Connection: 'close' });
  const node = (request as ServerRequest).runtime?.node;
  if (node !== undefined) {
    const { req: incoming, res: outgoing } = node as NodeMessages;
    if (incoming.headers.expect !== undefined) {
      outgoing.writeContinue();
      delete incoming.headers.expect;
    }
    return readIncoming(incoming, bytesMax);
  }
  if (declared > bytesMax) throw tooLarge(bytesMax);
  const body = createCollector(bytesMax);
  for await (const chunk of request.body ?? []) {
    if (!body.add(chunk)) throw tooLarge(bytesMax);
  }
  return body.toBytes();
}

type NodeMessages = Readonly<{ req: IncomingMessage; res: ServerResponse }>;

// Rejects a body that is too long at once; what is left of it is discarded before the response.
function readIncoming(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) reject(cutShort());
    const body = createCollector(bytesMax);
    incoming.on('data', function add(chunk: Buffer) {
      if (body.add(chunk)) return;
      incoming.off('data', add).pause();
      reject(tooLarge(bytesMax));
    });
    incoming.on('end', () => resolve(body.toBytes()));
    incoming.on('error', () => {});
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(cutShort());
    });
  });
}

type Collector = Readonly<{
  /** @returns false once the body is too long; nothing more is stored then. */
  add: (chunk: Uint8Array) => boolean;
  toBytes: () => Uint8Array;
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
    toBytes() {
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    },
  };
}

function cutShort(): HttpError {
  return createApiError('bad_request', { message: 'The request body was cut short.' });
}

function tooLarge(bytesMax: number, headers: Readonly<Record<string, string>> = {}): HttpError {
  return createApiError('payload_too_large', {
    message: `The request body is longer than ${bytesMax} bytes.`,
    hint: 'Send less, or split it into several requests.',
    headers,
  });
}

/** Parses JSON; undefined if it is invalid. The parser's error is dropped, since it quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
