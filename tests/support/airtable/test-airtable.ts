import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { type AirtableReply, sendReply } from '#lib/demo/airtable/airtable-reply.ts';
import { type AirtableOptions, createAirtableHandler } from '#lib/demo/airtable/airtable-server.ts';
import { loadPictures } from '#lib/demo/load-pictures.ts';
import { faultCanary } from '../fault-canary.ts';
import { listenOnLoopback } from '../servers/loopback-server.ts';
import { oddPictures } from './edge-case-cells.ts';
import { createFaults, type Fault, type FaultTarget } from './faults.ts';

/** The rows of the table. A function is called for the first page of every read. */
export type RecordSource = readonly AirtableRecord[] | (() => readonly AirtableRecord[]);

export type TestAirtableOptions = Omit<AirtableOptions, 'records'> &
  Readonly<{ records: RecordSource; now?: () => number; requestsPerSecond?: number }>;

/** Statistics since the start, or since the last reset. */
export type AirtableStats = Readonly<{
  requests: number;
  /** Requests for the table's records, rejected ones included. */
  listRequests: number;
  /** Also if a fault has replaced them. */
  pagesServed: number;
  attachmentsServed: number;
  rateLimited: number;
  /** Responses in progress, and their maximum so far. */
  openRequests: number;
  openRequestsMax: number;
}>;

export type TestAirtable = Readonly<{
  /** Without a trailing slash. */
  url: string;
  token: string;
  baseId: string;
  table: string;
  /** Advances the server's clock, which limits, iterators and attachments use. */
  advanceClock: (ms: number) => void;
  /** Changes the table; reads in progress continue with the old rows. */
  setRecords: (records: RecordSource) => void;
  setFault: (fault: Fault | null) => void;
  stats: () => AirtableStats;
  resetStats: () => void;
  /** Closes the server and all connections, hanging ones too. */
  close: () => Promise<void>;
}>;

/** Starts the demo's Airtable with faults on demand, statistics, and a clock that can be advanced. */
export async function startTestAirtable(options: TestAirtableOptions): Promise<TestAirtable> {
  const { token, baseId, table, now = Date.now } = options;
  let { records } = options;
  let clockAheadMs = 0;
  const server = createServer();
  const { url, close } = await listenOnLoopback(server);
  const handle = createAirtableHandler({
    ...options,
    url,
    records: () => (typeof records === 'function' ? records() : records),
    pictures: new Map([...loadPictures(), ...oddPictures]),
    now: () => now() + clockAheadMs,
  });
  const faults = createFaults();
  const stats = createStats();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = toTarget(request.url ?? '');
    const reply = handle(request);
    stats.count(target, reply, response);
    response.statusMessage = `Canary ${faultCanary}`;
    const sent = await faults.play(target, reply, response);
    if (sent !== null) sendReply(response, sent);
  }

  server.on('request', (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });

  return {
    url,
    token,
    baseId,
    table,
    advanceClock(ms) {
      clockAheadMs += ms;
    },
    setRecords(source) {
      records = source;
    },
    setFault: faults.set,
    stats: stats.read,
    resetStats: stats.reset,
    close,
  };
}

function toTarget(url: string): FaultTarget {
  if (url.startsWith('/attachments/')) return 'attachments';
  return /[?&]offset=/.test(url) ? 'later pages' : 'first pages';
}

function createStats() {
  const none = {
    requests: 0,
    listRequests: 0,
    pagesServed: 0,
    attachmentsServed: 0,
    rateLimited: 0,
  };
  let counts = { ...none };
  let openRequests = 0;
  let openRequestsMax = 0;
  return {
    count(target: FaultTarget, { status }: AirtableReply, response: ServerResponse) {
      const isPage = target !== 'attachments';
      counts.requests += 1;
      if (isPage) counts.listRequests += 1;
      if (status === 200) counts[isPage ? 'pagesServed' : 'attachmentsServed'] += 1;
      if (status === 429) counts.rateLimited += 1;
      openRequests += 1;
      openRequestsMax = Math.max(openRequestsMax, openRequests);
      response.once('close', () => {
        openRequests -= 1;
      });
    },
    read: (): AirtableStats => ({ ...counts, openRequests, openRequestsMax }),
    /** Open responses stay open. */
    reset() {
      counts = { ...none };
      openRequestsMax = openRequests;
    },
  };
}
