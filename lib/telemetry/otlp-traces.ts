import {
  context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '#lib/http/log.ts';
import { type OpenSpan, type SpanOptions, setTracer } from './spans.ts';

type TraceOptions = Readonly<{
  /** Base URL of the collector; spans go to its `/v1/traces`. */
  endpoint: string;
  log: Log;
  /** How long spans wait for others, so that they are sent together. */
  delayMs?: number;
}>;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Retries included: a collector that is away must not delay the end of the process for long. */
const exportMs = 2_000;

const propagator = new W3CTraceContextPropagator();

/** Sends spans by OTLP over HTTP. @returns a function that sends the rest and stops. */
export function sendTraces(options: TraceOptions): () => Promise<void> {
  const { endpoint, log, delayMs = 5_000 } = options;
  // Its own messages may quote a collector.
  const warn = () => log.warn({}, 'traces cannot be sent');
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const contexts = new AsyncLocalStorageContextManager();
  context.setGlobalContextManager(contexts);
  const url = `${endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportMs });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: resourceFromAttributes({ 'service.name': 'marquee' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer('marquee');
  setTracer((name, { kind, attributes = {}, traceparent }: SpanOptions) => {
    const parent = traceparent === undefined ? context.active() : toContext(traceparent);
    return toOpenSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent), parent);
  });
  return async () => {
    setTracer(null);
    await provider.shutdown().catch(warn);
    context.disable();
    diag.disable();
  };
}

function toContext(traceparent: string) {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, fieldGetter);
}

const fieldGetter = {
  keys: (carrier: Readonly<Record<string, string>>) => Object.keys(carrier),
  get: (carrier: Readonly<Record<string, string>>, key: string) => carrier[key],
};

function toOpenSpan(span: Span, parent: ReturnType<typeof context.active>): OpenSpan {
  const inside = trace.setSpan(parent, span);
  return {
    setName: (name) => void span.updateName(name),
    end(attributes = {}, error = null) {
      span.setAttributes(attributes);
      if (error !== null) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
    run: (work) => context.with(inside, work),
  };
}
