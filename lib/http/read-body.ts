import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerRequest } from 'srvx';
import { createApiError, type HttpError } from './errors/errors.ts';

/** Longest body that is discarded before the response, in bytes (see discard-body.ts). */
const discardedBytesMax = 32 * 1024 * 1024;

const defaultSilenceMs = 20_000;

/**
 * Reads the whole body of a request.
 * @throws HttpError 413 for a body longer than `bytesMax`, 400 for one that was cut short, or of which no byte arrives
 * for `silenceMs`
 * @param onLength called with how much has come; it may throw
 */
export async function readBody(
  request: Request,
  bytesMax: number,
  silenceMs = defaultSilenceMs,
  onLength: (length: number) => void = () => {},
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > Math.max(bytesMax, discardedBytesMax))
    throw toTooLargeError(bytesMax, { Connection: 'close' });
  const node = (request as ServerRequest).runtime?.node;
  if (node !== undefined) {
    const { req: incoming, res: outgoing } = node as NodeMessages;
    if (incoming.headers.expect !== undefined) {
      outgoing.writeContinue();
      delete incoming.headers.expect;
    }
    return readIncoming(incoming, { bytesMax, silenceMs, onLength });
  }
  if (declared > bytesMax) throw toTooLargeError(bytesMax);
  const body = createCollector(bytesMax, onLength);
  for await (const chunk of request.body ?? []) body.add(chunk);
  return body.toBytes();
}

type NodeMessages = Readonly<{ req: IncomingMessage; res: ServerResponse }>;

type BodyLimits = Readonly<{
  bytesMax: number;
  silenceMs: number;
  onLength: (length: number) => void;
}>;

// Rejects a body that is too long at once; what is left of it is discarded before the response.
function readIncoming(
  incoming: IncomingMessage,
  { bytesMax, silenceMs, onLength }: BodyLimits,
): Promise<Uint8Array> {
  const { socket } = incoming;
  const reading = new Promise<Uint8Array>((resolve, reject) => {
    if (incoming.destroyed) reject(cutShort());
    const body = createCollector(bytesMax, onLength);
    if (!incoming.complete) incoming.setTimeout(silenceMs, () => reject(tooSlow(silenceMs)));
    incoming.on('data', function add(chunk: Buffer) {
      try {
        body.add(chunk);
      } catch (error) {
        incoming.off('data', add).pause();
        reject(error);
      }
    });
    incoming.on('end', () => resolve(body.toBytes()));
    incoming.on('error', () => {});
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(cutShort());
    });
  });
  // The reply may take longer.
  return incoming.complete ? reading : reading.finally(() => socket.setTimeout(0));
}

type Collector = Readonly<{
  /** @throws HttpError once the body is too long; nothing is stored then. */
  add: (chunk: Uint8Array) => void;
  toBytes: () => Uint8Array;
}>;

function createCollector(bytesMax: number, onLength: BodyLimits['onLength']): Collector {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(chunk) {
      length += chunk.length;
      chunks.push(chunk);
      try {
        if (length > bytesMax) throw toTooLargeError(bytesMax);
        onLength(length);
      } catch (error) {
        chunks.length = 0;
        throw error;
      }
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

function tooSlow(silenceMs: number): HttpError {
  return createApiError('bad_request', {
    message: `No byte of the request body has arrived for ${silenceMs / 1000} seconds.`,
    hint: 'Send it once more.',
    headers: { Connection: 'close' },
  });
}

/** The error for a body of more than `bytesMax`. */
export function toTooLargeError(
  bytesMax: number,
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  return createApiError('payload_too_large', {
    message: `The request body is longer than ${bytesMax.toLocaleString('en')} bytes.`,
    hint: 'Send less, or split it into several requests.',
    headers,
  });
}

/** Node buffers up to this much of a body that nobody reads. */
const bufferedBytes = 64 * 1024;
/** Time between two chunks of up to 64 KB, over all bodies: 32 MB/s. */
const chunkIntervalMs = 2;
const defaultTimeoutMs = 5000;

/** Bodies whose next chunk is due. */
const waiting: IncomingMessage[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Reads and drops the rest of a body before the response is sent, since many clients read it only after sending
 * everything. Bodies take turns: by itself Node reads 2 MB of each per turn of the event loop, and one client with
 * eight connections and rejected bodies of 4 MB raised the p50 of all others to 0.4 s.
 * @returns whether it has ended; if not, the connection has to be closed.
 */
export async function discardBody(
  incoming: IncomingMessage,
  timeoutMs = defaultTimeoutMs,
): Promise<boolean> {
  // The client waits for a 100 (see read-body.ts), and gets the response instead.
  if (incoming.headers.expect !== undefined) return false;
  const isBeingRead = incoming.readableFlowing === true;
  const length = Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (isBeingRead || incoming.complete || length <= bufferedBytes) return true;
  return new Promise((resolve) => {
    const timeout = setTimeout(() => resolve(false), timeoutMs).unref();
    const end = () => {
      clearTimeout(timeout);
      resolve(true);
    };
    incoming.on('data', () => {
      incoming.pause();
      waitForTurn(incoming);
    });
    incoming.resume();
    incoming.on('end', end).on('close', end).on('error', end);
  });
}

function waitForTurn(incoming: IncomingMessage): void {
  waiting.push(incoming);
  timer ??= setInterval(takeTurn, chunkIntervalMs);
}

function takeTurn(): void {
  waiting.shift()?.resume();
  if (waiting.length > 0) return;
  clearInterval(timer);
  timer = undefined;
}
