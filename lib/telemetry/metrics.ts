import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a cached response to a long stream. */
const requestBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];
const waitBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const entryBuckets = [1, 2, 5, 10, 20, 50, 100, 200];
/** Those that OpenTelemetry's GenAI conventions recommend. */
const generationBuckets = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320];
const tokenBuckets = [4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

const generationLabels = [
  'gen_ai_operation_name',
  'gen_ai_provider_name',
  'gen_ai_request_model',
] as const;

/**
 * Every metric of this program, beside Node's own (event loop delay, memory, descriptors, garbage collection). Labels
 * are bounded: patterns of routes, statuses, names of upstreams, listed models, our own reasons. Where there are several
 * workers, values are added up, but for those with an `aggregator`: all see the same table, database and disk.
 */
export function createMetrics(now: () => number) {
  /** Of the events that are shown. */
  const snapshot = { readAtMs: Number.NaN };
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // It is the size of all that could be data (VmData), three times of what is.
  registry.removeSingleMetric('process_heap_bytes');
  return {
    registry,
    snapshot,
    ...createHttpMetrics(registers),
    ...createEventsMetrics(registers, () => now() - snapshot.readAtMs),
    ...createProxyMetrics(registers),
    ...createDatabaseMetrics(registers),
    ...createHealthMetrics(registers),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function createHttpMetrics(registers: Registry[]) {
  return {
    requestSeconds: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Requests, until the last byte was sent.',
      labelNames: ['route', 'status'],
      buckets: requestBuckets,
      registers,
    }),
    connections: new Gauge({
      name: 'marquee_connections',
      help: 'Open connections of clients.',
      registers,
    }),
    droppedConnections: new Counter({
      name: 'marquee_connections_dropped_total',
      help: 'Connections that were closed at once, since too many were open.',
      registers,
    }),
    streams: new Gauge({ name: 'marquee_streams', help: 'Open event streams.', registers }),
    cacheHits: new Counter({
      name: 'marquee_response_cache_hits_total',
      help: 'Requests that were served from the response cache.',
      registers,
    }),
    renderSeconds: new Histogram({
      name: 'marquee_page_render_duration_seconds',
      help: 'Renders of pages, with the time in the queue.',
      labelNames: ['queue', 'outcome'],
      buckets: requestBuckets,
      registers,
    }),
    renderQueue: new Gauge({
      name: 'marquee_page_render_queue_length',
      help: 'Pages that wait to be rendered.',
      labelNames: ['queue'],
      registers,
    }),
  };
}

function createEventsMetrics(registers: Registry[], toAgeMs: () => number) {
  return {
    snapshotAge: new Gauge({
      name: 'marquee_snapshot_age_seconds',
      help: 'Age of the events that are shown.',
      aggregator: 'max',
      registers,
      collect() {
        this.set(toAgeMs() / 1000);
      },
    }),
    snapshotEvents: new Gauge({
      name: 'marquee_snapshot_events',
      help: 'Events that are shown.',
      aggregator: 'max',
      registers,
    }),
    tableReadOk: new Gauge({
      name: 'marquee_table_read_ok',
      help: '1 if the last read of the table succeeded; 0 if it failed; NaN: there was none yet.',
      aggregator: 'min',
      registers,
    }),
    tableProblems: new Gauge({
      name: 'marquee_table_problems',
      help: 'Rows left out and cells repaired by the last read, by reason.',
      labelNames: ['problem'],
      aggregator: 'max',
      registers,
    }),
    tableReads: new Counter({
      name: 'marquee_table_reads_total',
      help: 'Reads of the whole table by this instance or another: ok, or why they failed.',
      labelNames: ['outcome'],
      registers,
    }),
    airtableCalls: new Counter({
      name: 'marquee_airtable_requests_total',
      help: 'Requests to Airtable: ok, or why they failed.',
      labelNames: ['outcome'],
      registers,
    }),
    pictures: new Counter({
      name: 'marquee_pictures_fetched_total',
      help: 'Pictures fetched from Airtable: ok, or why they failed.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}

function createProxyMetrics(registers: Registry[]) {
  return {
    upstreamCalls: new Counter({
      name: 'marquee_upstream_requests_total',
      help: 'Calls of AI upstreams, those before a fail-over included.',
      labelNames: ['upstream', 'model', 'outcome'],
      registers,
    }),
    implausibleCosts: new Counter({
      name: 'marquee_implausible_costs_total',
      help: 'Replies with a reported cost that is not believed: they are charged by the list.',
      labelNames: ['upstream'],
      registers,
    }),
    generationSeconds: new Histogram({
      name: 'gen_ai_client_operation_duration_seconds',
      help: 'Generations, until the end of the reply (gen_ai.client.operation.duration).',
      labelNames: [...generationLabels, 'error_type'],
      buckets: generationBuckets,
      registers,
    }),
    firstChunkSeconds: new Histogram({
      name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
      help: 'Generations, until the first part of the reply.',
      labelNames: generationLabels,
      buckets: generationBuckets,
      registers,
    }),
    tokens: new Histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a generation, input or output (gen_ai.client.token.usage).',
      labelNames: [...generationLabels, 'gen_ai_token_type'],
      buckets: tokenBuckets,
      registers,
    }),
    rejections: new Counter({
      name: 'marquee_proxy_rejections_total',
      help: 'Requests with a valid key that reached no upstream.',
      labelNames: ['endpoint', 'status', 'code'],
      registers,
    }),
    refusedKeys: new Counter({
      name: 'marquee_refused_keys_total',
      help: 'Requests without a valid key.',
      labelNames: ['reason'],
      registers,
    }),
    reservations: new Gauge({
      name: 'marquee_reservations',
      help: 'Requests that have reserved tokens.',
      registers,
    }),
    ledgerWaiting: new Gauge({
      name: 'marquee_ledger_waiting',
      help: 'Ends of requests that wait to be stored in the database.',
      registers,
    }),
  };
}

function createDatabaseMetrics(registers: Registry[]) {
  return {
    ledgerEntries: new Histogram({
      name: 'marquee_ledger_transaction_entries',
      help: 'Entries that shared a transaction of the ledger.',
      buckets: entryBuckets,
      registers,
    }),
    ledgerSeconds: new Histogram({
      name: 'marquee_ledger_transaction_duration_seconds',
      help: 'How long transactions of the ledger took, with their wait for locks.',
      buckets: waitBuckets,
      registers,
    }),
    queryWaitSeconds: new Histogram({
      name: 'marquee_query_wait_seconds',
      help: 'How long queries and transactions have waited for a connection to the database.',
      buckets: waitBuckets,
      registers,
    }),
    slowQueries: new Counter({
      name: 'marquee_slow_queries_total',
      help: 'Queries that took 200 ms or longer, by what they do and their first table.',
      labelNames: ['query'],
      registers,
    }),
  };
}

function createHealthMetrics(registers: Registry[]) {
  return {
    checks: new Gauge({
      name: 'marquee_check_ok',
      help: '1 if the database or the disk works, as for /health/ready.',
      labelNames: ['check'],
      aggregator: 'min',
      registers,
    }),
    airtableCallsUsed: new Gauge({
      name: 'marquee_airtable_calls_this_month',
      help: 'Calls of Airtable in this month (UTC), of all instances.',
      aggregator: 'max',
      registers,
    }),
    airtableCallsProjected: new Gauge({
      name: 'marquee_airtable_calls_projected',
      help: 'Calls of Airtable in 30 days, if every refresh is made when it is due.',
      aggregator: 'max',
      registers,
    }),
    deliveriesWaiting: new Gauge({
      name: 'marquee_deliveries_waiting',
      help: 'Messages to webhooks, pings of hubs and emails that are not delivered yet, of all instances.',
      labelNames: ['kind'],
      aggregator: 'max',
      registers,
    }),
    freeBytes: new Gauge({
      name: 'marquee_disk_free_bytes',
      help: 'Free space on the disk of DATA_DIR.',
      aggregator: 'min',
      registers,
    }),
  };
}
