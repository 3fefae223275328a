import type { ServerResponse } from 'node:http';

/** What the model server has seen since it began. */
export type ModelStats = Readonly<{
  requests: number;
  /** By method and path, such as `POST /chat/completions`. */
  byPath: Readonly<Record<string, number>>;
  /** Answers under way now, and the most there ever were at once. */
  openRequests: number;
  openRequestsMax: number;
  /** Whole answers, and those that the other side left before their end. */
  finished: number;
  aborted: number;
  /** Connections that were made. */
  connections: number;
  /** Bytes of bodies that were handed to connections. */
  bytes: number;
}>;

/** Counts for tests and for the curious. */
export function createModelStats() {
  const byPath: Record<string, number> = {};
  const counts = { requests: 0, openRequests: 0, openRequestsMax: 0, finished: 0, aborted: 0 };
  let bytes = 0;
  let connections = 0;
  return {
    /** Counts a request, and its answer as open until the connection is done with it. */
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
    addBytes(count: number): void {
      bytes += count;
    },
    read: (): ModelStats => ({ ...counts, byPath: { ...byPath }, connections, bytes }),
  };
}
