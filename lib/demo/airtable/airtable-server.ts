import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createActiveFault } from './active-fault.ts';
import type { AirtableRecord } from './airtable-record.ts';
import { sendReply } from './airtable-reply.ts';
import { type AirtableStats, createStatsCounter } from './airtable-stats.ts';
import { createAttachments } from './attachments.ts';
import type { Fault } from './faults.ts';
import { handleApiRequest } from './handle-api-request.ts';
import { handleControlRequest } from './handle-control-request.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRecordIterators } from './record-iterators.ts';

/** The rows of the table. A function is called for the first page of every read. */
export type RecordSource = readonly AirtableRecord[] | (() => readonly AirtableRecord[]);

export type AirtableServerOptions = {
  /** 0, the default, picks any free port. */
  readonly port?: number;
  readonly token: string;
  readonly baseId: string;
  readonly table: string;
  readonly records: RecordSource;
  readonly now?: () => number;
  readonly requestsPerSecond?: number;
  readonly penaltyMs?: number;
  /** How long an unused iterator lives. */
  readonly iteratorTtlMs?: number;
  /** Base URL of attachments; the server's own by default. */
  readonly publicUrl?: string;
};

export type AirtableServer = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly baseId: string;
  readonly table: string;
  /** Advances the server's clock, which limits, iterators and attachments use. */
  advanceClock(ms: number): void;
  /** Changes the table; reads in progress continue with the old rows. */
  setRecords(records: RecordSource): void;
  setFault(fault: Fault | null): void;
  stats(): AirtableStats;
  resetStats(): void;
  /** Closes the server and all connections, hanging ones too. */
  close(): Promise<void>;
};

/**
 * Starts a local Airtable Web API: "list records" with paging, limits, errors and signed
 * attachments, faults on demand, and a clock that can be advanced.
 */
export async function startAirtableServer(options: AirtableServerOptions): Promise<AirtableServer> {
  const { token, baseId, table, now: realNow = Date.now } = options;
  let source = options.records;
  let clockAheadMs = 0;
  let url = '';
  const now = () => realNow() + clockAheadMs;
  const stats = createStatsCounter();
  const fault = createActiveFault();
  const admit = createRateLimit({
    requestsPerSecond: options.requestsPerSecond ?? 5,
    penaltyMs: options.penaltyMs ?? 30_000,
    now,
  });
  const iterators = createRecordIterators({
    records: () => (typeof source === 'function' ? source() : source),
    ttlMs: options.iteratorTtlMs ?? 60_000,
    now,
  });
  const attachments = createAttachments({ baseUrl: () => options.publicUrl ?? url, now });
  const controls = {
    setFault: fault.set,
    advanceClock(ms: number) {
      clockAheadMs += ms;
    },
    stats: stats.read,
  };

  const context = { token, baseId, table, stats, fault, admit, iterators, attachments };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/demo/')) return handleApiRequest(request, response, context);
    sendReply(response, await handleControlRequest(request, controls));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  url = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : ''}`;

  return {
    url,
    token,
    baseId,
    table,
    ...controls,
    setRecords(records) {
      source = records;
    },
    resetStats: stats.reset,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
