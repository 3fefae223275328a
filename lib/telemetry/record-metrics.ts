import {
  channels,
  type GenerationDone,
  type ProxyRequestRejected,
  type RequestDone,
  type TableRead,
} from './channels.ts';
import type { Metrics } from './metrics.ts';

/** Codes that a rejected request may have as a label; all others come from elsewhere. */
const rejectionCodes: ReadonlySet<string | null> = new Set([
  'rate_limit_exceeded',
  'insufficient_quota',
  'model_not_allowed',
  'model_without_price',
  'model_not_found',
  'request_too_large',
  'unsupported_media_type',
  'server_is_overloaded',
  'server_misconfigured',
  'internal_error',
]);

/** Counts what is published from now on. @returns a function that stops it. */
export function recordMetrics(metrics: Metrics): () => void {
  // A worker that has just replaced another is no reason to wake somebody up.
  metrics.tableReadOk.set(Number.NaN);
  const subscriptions = [
    on('requestDone', (done: RequestDone) => {
      const { route, status, durationMs, isCacheHit } = done;
      metrics.requestSeconds.observe({ route, status }, durationMs / 1000);
      if (isCacheHit) metrics.cacheHits.inc();
    }),
    on('streams', (count: number) => metrics.streams.inc(count)),
    on('pageRendered', ({ queue, outcome, durationMs }) =>
      metrics.renderSeconds.observe({ queue, outcome }, durationMs / 1000),
    ),
    on('renderQueue', ({ queue, waiting }) => metrics.renderQueue.set({ queue }, waiting)),
    on('eventsRead', (read) => recordRead(metrics, read)),
    on('eventsReadFailed', ({ reason }) => {
      metrics.tableReads.inc({ outcome: reason });
      metrics.tableReadOk.set(0);
    }),
    on('connectionDropped', () => metrics.droppedConnections.inc()),
    on('airtableCalled', (labels) => metrics.airtableCalls.inc(labels)),
    on('pictureFetched', (labels) => metrics.pictures.inc(labels)),
    on('upstreamCalled', (labels) => metrics.upstreamCalls.inc(labels)),
    on('implausibleCost', (labels) => metrics.implausibleCosts.inc(labels)),
    on('generationDone', (generation) => recordGeneration(metrics, generation)),
    on('proxyRequestRejected', ({ endpoint, status, code }: ProxyRequestRejected) =>
      metrics.rejections.inc({
        endpoint,
        status,
        code: code !== null && rejectionCodes.has(code) ? code : 'other',
      }),
    ),
    on('keyRefused', (labels) => metrics.refusedKeys.inc(labels)),
    on('reservations', (count: number) => metrics.reservations.inc(count)),
    on('queryWaited', (waitMs: number) => metrics.queryWaitSeconds.observe(waitMs / 1000)),
    on('slowQuery', ({ name }) => metrics.slowQueries.inc({ query: name })),
    on('ledgerWaiting', (length: number) => metrics.ledgerWaiting.set(length)),
    on('ledgerCommitted', ({ entries, durationMs }) => {
      metrics.ledgerEntries.observe(entries);
      metrics.ledgerSeconds.observe(durationMs / 1000);
    }),
  ];
  return () => {
    for (const stop of subscriptions) stop();
  };
}

type Channels = typeof channels;
type Message<N extends keyof Channels> = Parameters<Channels[N]['publish']>[0];

function on<N extends keyof Channels>(name: N, onMessage: (message: Message<N>) => void) {
  const channel = channels[name] as Readonly<{
    subscribe: (handler: (message: Message<N>) => void) => void;
    unsubscribe: (handler: (message: Message<N>) => void) => void;
  }>;
  channel.subscribe(onMessage);
  return () => channel.unsubscribe(onMessage);
}

function recordRead(metrics: Metrics, { events, repairs, readAtMs }: TableRead): void {
  metrics.snapshot.readAtMs = readAtMs;
  metrics.tableReads.inc({ outcome: 'ok' });
  metrics.tableReadOk.set(1);
  metrics.snapshotEvents.set(events);
  metrics.tableProblems.reset();
  for (const [problem, count] of Object.entries(repairs)) {
    metrics.tableProblems.set({ problem }, count);
  }
}

function recordGeneration(metrics: Metrics, generation: GenerationDone): void {
  const { operation, upstream, model, error, durationMs, firstChunkMs } = generation;
  const labels = {
    gen_ai_operation_name: operation,
    gen_ai_provider_name: upstream,
    gen_ai_request_model: model,
  };
  metrics.generationSeconds.observe({ ...labels, error_type: error ?? '' }, durationMs / 1000);
  if (firstChunkMs !== null) metrics.firstChunkSeconds.observe(labels, firstChunkMs / 1000);
  if (error !== null && generation.tokensIn + generation.tokensOut === 0) return;
  metrics.tokens.observe({ ...labels, gen_ai_token_type: 'input' }, generation.tokensIn);
  metrics.tokens.observe({ ...labels, gen_ai_token_type: 'output' }, generation.tokensOut);
}
