import type { IncomingMessage, ServerResponse } from 'node:http';
import { readClientAddress, shortenAddress } from '#lib/http/client-address.ts';
import { channels, type RequestDone } from '#lib/telemetry/channels.ts';
import { getKeyName } from '#lib/telemetry/request-log.ts';
import { startSpan } from '#lib/telemetry/spans.ts';

/** A request while it is handled and, once its response has been sent, its outcome. */
export class ObservedRequest implements RequestDone {
  route = 'other';
  isCacheHit = false;
  /** As route handlers get it. */
  request: Request | null = null;
  durationMs = 0;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #bytesBefore: number;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#bytesBefore = incoming.socket.bytesWritten;
  }

  get method(): string {
    return toMethod(this.#incoming.method);
  }

  get status(): number {
    return this.#outgoing.statusCode;
  }

  get bytes(): number {
    return this.#incoming.socket.bytesWritten - this.#bytesBefore;
  }

  get requestId(): string {
    return String(this.#incoming.headers['x-request-id'] ?? '');
  }

  get keyName(): string | null {
    return getKeyName(this.request);
  }

  toClient(trustedHops: number): string {
    return shortenAddress(readClientAddress(this.#incoming, trustedHops));
  }
}

/** Publishes a request, and its outcome once its response has been sent. */
export function observeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): ObservedRequest {
  const observed = new ObservedRequest(incoming, outgoing);
  channels.requestBegun.publish(observed);
  if (!channels.requestDone.hasSubscribers) return observed;
  const startedAt = performance.now();
  outgoing.on('close', () => {
    observed.durationMs = performance.now() - startedAt;
    channels.requestDone.publish(observed);
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
    const { method, route, status } = observed;
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

/** Clients can send any method; a metric needs bounded labels. */
function toMethod(method = ''): string {
  return methods.has(method) ? method : 'other';
}
