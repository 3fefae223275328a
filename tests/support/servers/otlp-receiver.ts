import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback-server.ts';

export type ReceivedSpan = Readonly<{
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Readonly<Record<string, unknown>>;
  /** 2: an error. */
  status: number;
  durationMs: number;
}>;

/** Receives traces by OTLP over HTTP, in its JSON form. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    if (incoming.url === '/v1/traces' && incoming.method === 'POST') {
      bodies.push(body);
      spans.push(...readSpans(JSON.parse(body)));
    }
    outgoing.setHeader('Content-Type', 'application/json');
    outgoing.end('{"partialSuccess":{}}');
  });
  return {
    ...(await listenOnLoopback(server)),
    spans,
    /** Everything that was received. */
    text: () => bodies.join('\n'),
  };
}

type Value = Readonly<Record<string, unknown>>;
type WrittenSpan = Readonly<{
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: readonly Readonly<{ key: string; value: Value }>[];
  status: Readonly<{ code?: number }>;
}>;
type WrittenTraces = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{ spans: readonly WrittenSpan[] }>[];
  }>[];
}>;

function readSpans({ resourceSpans }: WrittenTraces): ReceivedSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return spans.map(({ name, kind, traceId, spanId, parentSpanId = '', ...span }) => ({
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: Object.fromEntries(
      span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    ),
    status: span.status.code ?? 0,
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }));
}
