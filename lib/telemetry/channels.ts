import { channel } from 'node:diagnostics_channel';

/** A request whose response has been sent, or whose client has disconnected. Read it at once: fields are getters. */
export type RequestDone = Readonly<{
  method: string;
  /** The pattern of the route or page, such as `/events/[slug]`. */
  route: string;
  status: number;
  durationMs: number;
  /** Sent to the client, headers included. */
  bytes: number;
  requestId: string;
  /** The name of the API key; null without one. */
  keyName: string | null;
  /** The client's network, not its address. @param trustedHops `TRUST_PROXY` */
  toClient: (trustedHops: number) => string;
  isCacheHit: boolean;
}>;

/** A request that has come in. Read it later: its route is not known yet. */
export type RequestBegun = Pick<RequestDone, 'method' | 'route'>;

export type PageRendered = Readonly<{
  queue: 'pages' | 'private pages';
  outcome: 'rendered' | 'failed' | 'timed-out' | 'queue-full';
  durationMs: number;
}>;

type RenderQueue = Readonly<{ queue: PageRendered['queue']; waiting: number }>;

export type TableRead = Readonly<{
  readAtMs: number;
  events: number;
  /** By what was done and why, such as `repaired.not_a_color`. */
  repairs: Readonly<Record<string, number>>;
}>;

/** One call of an AI upstream, after its reply has begun or it has failed. */
export type UpstreamCalled = Readonly<{
  upstream: string;
  /** An id of the model list, or `other`. */
  model: string;
  outcome: 'ok' | 'rate-limited' | 'timed-out' | 'failed' | 'rejected' | 'disconnected';
}>;

/** A generation that an upstream was asked for, from the client's request to the end of the reply. */
export type GenerationDone = Readonly<{
  operation: 'chat' | 'embeddings';
  upstream: string;
  /** An id of the model list, or `other`. */
  model: string;
  /** Null if it succeeded. */
  error: string | null;
  durationMs: number;
  /** Null if nothing was sent. */
  firstChunkMs: number | null;
  tokensIn: number;
  tokensOut: number;
}>;

/** A query that took long: what it does and its first table, such as `select marquee_usage`. */
export type SlowQuery = Readonly<{ name: string; durationMs: number }>;

/** A proxy request that reached no upstream. */
export type ProxyRequestRejected = Readonly<{
  endpoint: string;
  status: number;
  code: string | null;
}>;

/**
 * What happens in this process, for its subscribers: metrics, the request log. A part publishes and knows nothing of
 * them; without a subscriber that costs a few nanoseconds.
 */
/** A transaction of the ledger: how many entries shared it, and how long it took. */
type LedgerCommitted = Readonly<{ entries: number; durationMs: number }>;

export const channels = {
  requestBegun: define<RequestBegun>('request-begun'),
  requestDone: define<RequestDone>('request-done'),
  /** Too many connections are open: a new one was closed at once. */
  connectionDropped: define<null>('connection-dropped'),
  /** How many event streams have opened: 1 or -1. */
  streams: define<1 | -1>('streams'),
  pageRendered: define<PageRendered>('page-rendered'),
  renderQueue: define<RenderQueue>('render-queue'),
  eventsRead: define<TableRead>('events-read'),
  eventsReadFailed: define<Readonly<{ reason: string }>>('events-read-failed'),
  /** `ok`, or the reason of an AirtableError. */
  airtableCalled: define<Readonly<{ outcome: string }>>('airtable-called'),
  /** `ok`, or the reason of the failure. */
  pictureFetched: define<Readonly<{ outcome: string }>>('picture-fetched'),
  upstreamCalled: define<UpstreamCalled>('upstream-called'),
  generationDone: define<GenerationDone>('generation-done'),
  /** A reply whose reported cost is not believed. */
  implausibleCost: define<Readonly<{ upstream: string }>>('implausible-cost'),
  proxyRequestRejected: define<ProxyRequestRejected>('proxy-request-rejected'),
  /** A request without a valid key; the reason is our own, such as `key_unknown`. */
  keyRefused: define<Readonly<{ reason: string }>>('key-refused'),
  /** How many reservations have opened: 1 or -1. */
  reservations: define<1 | -1>('reservations'),
  /** How long a query or transaction has waited for a connection to the database, ms. */
  queryWaited: define<number>('query-waited'),
  slowQuery: define<SlowQuery>('slow-query'),
  /** Deliveries are enqueued by a transaction that is about to end. */
  deliveriesEnqueued: define<null>('deliveries-enqueued'),
  /** How many ends of requests wait to be stored. */
  ledgerWaiting: define<number>('ledger-waiting'),
  ledgerCommitted: define<LedgerCommitted>('ledger-committed'),
} as const;

type TypedChannel<T> = Readonly<{
  hasSubscribers: boolean;
  publish: (message: T) => void;
  subscribe: (onMessage: (message: T) => void) => void;
  unsubscribe: (onMessage: (message: T) => void) => void;
}>;

function define<T>(name: string): TypedChannel<T> {
  return channel(`marquee:${name}`) as TypedChannel<T>;
}
