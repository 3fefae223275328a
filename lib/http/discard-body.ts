import type { IncomingMessage } from 'node:http';

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
