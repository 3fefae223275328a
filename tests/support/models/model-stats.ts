import type { ServerResponse } from 'node:http';
import type { Reply } from '#lib/demo/models/reply.ts';

/** Statistics since the start. */
export type ModelStats = Readonly<{
  requests: number;
  /** By method and path, such as `POST /chat/completions`. */
  byPath: Readonly<Record<string, number>>;
  /** Responses in progress, and their maximum so far. */
  openRequests: number;
  openRequestsMax: number;
  /** Completed responses, and those that the client aborted. */
  finished: number;
  aborted: number;
  /** Accepted connections. */
  connections: number;
  /** Bytes of bodies written to connections. */
  bytes: number;
}>;

export function createModelStats() {
  const byPath: Record<string, number> = {};
  const counts = { requests: 0, openRequests: 0, openRequestsMax: 0, finished: 0, aborted: 0 };
  let bytes = 0;
  let connections = 0;
  return {
    /** Counts a request, and its response as open until the connection is done with it. */
    open(path: string, response: ServerResponse): void {
      byPath[path] = (byPath[path] ?? 0) + 1;
      counts.requests += 1;
      counts.openRequests += 1;
      counts.openRequestsMax = Math.max(counts.openRequestsMax, counts.openRequests);
      response.once('close', () => {
        counts.openRequests -= 1;
        counts[response.writableFinished ? 'finished' : 'aborted'] += 1;
      });
    },
    connect(): void {
      connections += 1;
    },
    /** Counts each piece when it is sent. */
    *countBytes(pieces: Reply['pieces']): Generator<string | Uint8Array> {
      for (const piece of pieces) {
        bytes += piece.length;
        yield piece;
      }
    },
    read: (): ModelStats => ({ ...counts, byPath: { ...byPath }, connections, bytes }),
  };
}
