import type { IncomingMessage, ServerResponse } from 'node:http';
import { readClientAddress, shortenAddress } from '#lib/http/client-address.ts';
import type { Page, UrlClass } from '#lib/pages/classify-url.ts';
import { channels } from '#lib/telemetry/channels.ts';
import { getKeyName } from '#lib/telemetry/request-key.ts';
import { startSpan } from '#lib/telemetry/spans.ts';

/** What is found out about a request while it is handled. */
export type ObservedRequest = {
  url: UrlClass | null;
  isCacheHit: boolean;
  /** As route handlers get it. */
  request: Request | null;
};

/** Publishes what became of a request, once its response has been sent, if anything watches. */
export function observeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  trustedHops: number,
): ObservedRequest {
  const observed: ObservedRequest = { url: null, isCacheHit: false, request: null };
  if (!channels.requestDone.hasSubscribers) return observed;
  const startedAt = performance.now();
  const { socket } = incoming;
  const bytesBefore = socket.bytesWritten;
  outgoing.once('close', () => {
    channels.requestDone.publish({
      method: toMethod(incoming.method),
      route: toRoutePattern(observed.url),
      status: outgoing.statusCode,
      durationMs: performance.now() - startedAt,
      bytes: socket.bytesWritten - bytesBefore,
      requestId: String(incoming.headers['x-request-id'] ?? ''),
      keyName: getKeyName(observed.request),
      toClient: () => shortenAddress(readClientAddress(incoming, trustedHops)),
      isCacheHit: observed.isCacheHit,
    });
  });
  return observed;
}

/** Runs the handling of a request inside its span, which ends when the response has been sent. */
export function traceRequest<T>(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  observed: ObservedRequest,
  handle: () => T,
): T {
  const { traceparent } = incoming.headers;
  const span = startSpan('request', { kind: 'server', traceparent: [traceparent].flat()[0] });
  if (span === null) return handle();
  outgoing.once('close', () => {
    const [method, route] = [toMethod(incoming.method), toRoutePattern(observed.url)];
    const status = outgoing.statusCode;
    span.setName(`${method} ${route}`);
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'marquee.request_id': String(incoming.headers['x-request-id'] ?? ''),
      'marquee.cache_hit': observed.isCacheHit,
    };
    span.end(attributes, status < 500 ? null : String(status));
  });
  return span.run(handle);
}

/** Counts an event stream for as long as it is open. */
export function observeStream(outgoing: ServerResponse): void {
  channels.streams.publish(1);
  outgoing.once('close', () => channels.streams.publish(-1));
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Clients may invent others. */
function toMethod(method = ''): string {
  return methods.has(method) ? method : 'other';
}

const pagePatterns: Readonly<Record<Page['kind'], string>> = {
  directory: '/',
  event: '/events/[slug]',
  docs: '/docs/[[...page]]',
  models: '/models',
  month: '/calendar',
  subscribe: '/subscribe',
  saved: '/saved',
  account: '/account',
  unknown: 'unknown',
};

/** The pattern that a URL matched; URLs themselves are too many for a metric. */
export function toRoutePattern(url: UrlClass | null): string {
  switch (url?.kind) {
    case 'route':
      return url.route;
    case 'page':
      return pagePatterns[url.page.kind];
    case 'markdown':
      return '/markdown/[[...path]]';
    case 'plain-text':
      return '/plain-text/[[...path]]';
    case 'calendar':
      return '/calendar/[event]';
    case 'json':
      return pagePatterns[url.page.kind];
    case 'static':
      return 'static';
    default:
      return 'other';
  }
}
