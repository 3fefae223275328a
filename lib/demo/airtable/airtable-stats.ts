import type { ServerResponse } from 'node:http';

/** Statistics since the start, or since the last reset. */
export type AirtableStats = {
  /** All requests except those to control paths. */
  readonly requests: number;
  /** Requests for a table's records, rejected ones included. */
  readonly listRequests: number;
  readonly pagesServed: number;
  /** Responses in progress, and their maximum so far. */
  readonly openRequests: number;
  readonly openRequestsMax: number;
  readonly rateLimited: number;
  readonly attachmentsServed: number;
};

type Counted = 'listRequests' | 'pagesServed' | 'rateLimited' | 'attachmentsServed';

export type StatsCounter = {
  /** Counts a request, and its response as open until the connection is done with it. */
  open(response: ServerResponse): void;
  count(what: Counted): void;
  read(): AirtableStats;
  reset(): void;
};

/** Statistics for tests. A reset does not affect open responses. */
export function createStatsCounter(): StatsCounter {
  const none = { requests: 0, listRequests: 0, pagesServed: 0, rateLimited: 0 };
  let counts = { ...none, attachmentsServed: 0 };
  let openRequests = 0;
  let openRequestsMax = 0;
  return {
    open(response) {
      counts.requests += 1;
      openRequests += 1;
      openRequestsMax = Math.max(openRequestsMax, openRequests);
      response.once('close', () => {
        openRequests -= 1;
      });
    },
    count(what) {
      counts[what] += 1;
    },
    read: () => ({ ...counts, openRequests, openRequestsMax }),
    reset() {
      counts = { ...none, attachmentsServed: 0 };
      openRequestsMax = openRequests;
    },
  };
}
