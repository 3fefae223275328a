import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createLazyPrototype } from '#lib/http/lazy-native.ts';
import { type NodeEnds, nodeEndsKey, onDisconnect } from '#lib/http/node-request.ts';

/**
 * A Request that reads address, method and headers from node:http's message as they are. Making a
 * native Request would cost more than answering it.
 */
type LaneRequest = Request & {
  [nodeEndsKey]: NodeEnds;
  [originKey]: string;
  [headersKey]?: Headers;
  [nativeKey]?: Request;
};

type LaneHeaders = Headers & { [incomingKey]: IncomingMessage; [nativeHeadersKey]?: Headers };

const incomingKey = Symbol('incoming');
const originKey = Symbol('origin');
const headersKey = Symbol('headers');
const nativeKey = Symbol('native');
const nativeHeadersKey = Symbol('nativeHeaders');

const requestPrototype = createLazyPrototype(
  Request,
  (standIn) => toNativeRequest(standIn as LaneRequest),
  { url: { get: getUrl }, method: { get: getMethod }, headers: { get: getHeaders } },
);

const headersPrototype = createLazyPrototype(
  Headers,
  (standIn) => toNativeHeaders(standIn as LaneHeaders),
  { get: { value: getHeader }, has: { value: hasHeader } },
);

/**
 * @param origin what the address begins with: fixed, never the Host header.
 */
export function createLaneRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
): Request {
  const request: LaneRequest = Object.create(requestPrototype);
  request[nodeEndsKey] = { incoming, outgoing };
  request[originKey] = origin;
  return request;
}

function getUrl(this: LaneRequest): string {
  return this[originKey] + this[nodeEndsKey].incoming.url;
}

function getMethod(this: LaneRequest): string {
  return this[nodeEndsKey].incoming.method ?? 'GET';
}

function getHeaders(this: LaneRequest): Headers {
  if (this[headersKey] === undefined) {
    const headers: LaneHeaders = Object.create(headersPrototype);
    headers[incomingKey] = this[nodeEndsKey].incoming;
    this[headersKey] = headers;
  }
  return this[headersKey];
}

// node:http has joined repeated headers already, as RFC 9110 §5.3 says.
function getHeader(this: LaneHeaders, name: string): string | null {
  const native = this[nativeHeadersKey];
  if (native !== undefined) return native.get(name);
  const value = this[incomingKey].headers[name.toLowerCase()];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

function hasHeader(this: LaneHeaders, name: string): boolean {
  return this.get(name) !== null;
}

function toNativeHeaders(headers: LaneHeaders): Headers {
  if (headers[nativeHeadersKey] === undefined) {
    const native = new Headers();
    for (const [name, value] of Object.entries(headers[incomingKey].headers)) {
      for (const one of Array.isArray(value) ? value : [value ?? '']) native.append(name, one);
    }
    headers[nativeHeadersKey] = native;
  }
  return headers[nativeHeadersKey];
}

// Node's own type of a web stream and the platform's are one at run time.
function toBody(request: LaneRequest): BodyInit {
  return Readable.toWeb(request[nodeEndsKey].incoming) as unknown as BodyInit;
}

function toNativeRequest(request: LaneRequest): Request {
  if (request[nativeKey] === undefined) {
    const left = new AbortController();
    onDisconnect(request, () => left.abort());
    const { url, method, headers } = request;
    const options: RequestInit & { duplex?: 'half' } = { method, headers, signal: left.signal };
    if (method !== 'GET' && method !== 'HEAD') {
      options.body = toBody(request);
      options.duplex = 'half';
    }
    request[nativeKey] = new Request(url, options);
  }
  return request[nativeKey];
}
