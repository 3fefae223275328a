import type { ServerResponse } from 'node:http';

/** What the stand-in has seen since it began, or since its counts were last set back. */
export type AirtableStats = {
  /** Every call but those of the control addresses. */
  readonly requests: number;
  /** Calls to a table's records, refused ones included. */
  readonly listRequests: number;
  readonly pagesServed: number;
  /** Answers under way now, and the most there ever were at once. */
  readonly openRequests: number;
  readonly openRequestsMax: number;
  readonly rateLimited: number;
  readonly attachmentsServed: number;
};

type Counted = 'listRequests' | 'pagesServed' | 'rateLimited' | 'attachmentsServed';

export type StatsCounter = {
  /** Counts a request, and its answer as open until the connection is done with it. */
  open(response: ServerResponse): void;
  count(what: Counted): void;
  read(): AirtableStats;
  reset(): void;
};

/** Counts for tests and for the curious. Resetting leaves what is open now as it is. */
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
