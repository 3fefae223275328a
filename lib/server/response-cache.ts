import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isNotModified } from '#lib/http/representations/conditional.ts';
import { withoutContentHeaders } from '#lib/http/representations/representation.ts';
import { type Freshness, getOwnParts, type HeaderFields, readVary } from '#lib/http/response.ts';

/** Responses that are written again as they are, for as long as they are fresh. */
export type ResponseCache = Readonly<{
  /**
   * Sends the response to the same request, if it is still fresh.
   * @returns its label; null if there is none.
   */
  send: (incoming: IncomingMessage, outgoing: ServerResponse) => string | null;
  /** Stores a response to GET if other clients may get it too. @param label of its URL, in metrics. */
  store: (incoming: IncomingMessage, response: Response, label: string) => void;
}>;

type Stored = Readonly<{
  label: string;
  etag: string;
  lastModifiedMs: number;
  freshness: Freshness;
  /** Names and values in turns, without those that are set for each request. */
  headers: readonly string[];
  notModifiedHeaders: readonly string[];
  body: string | Uint8Array;
}>;

const bytesMax = 48 * 1024 * 1024;
/** Of usual URLs it has more than entries fit. Long ones, which a client may make up, take no more memory. */
const urlsBytesMax = 8 * 1024 * 1024;
/** Approximate size of an entry besides its body and key. */
const entryBytes = 2048;

/** Set for each request. */
const variableHeaders = new Set(['cache-control', 'x-request-id']);

export function createResponseCache(): ResponseCache {
  const stored = new LRUCache<string, Stored>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }, key) => body.length + key.length + entryBytes,
  });
  /** By URL: the request headers that its responses vary by. */
  const varying = new LRUCache<string, readonly string[]>({
    maxSize: urlsBytesMax,
    sizeCalculation: (_, url) => url.length + 100,
  });
  return {
    send(incoming, outgoing) {
      const { method, headers } = incoming;
      if (method !== 'GET' && method !== 'HEAD') return null;
      // Seldom sent: the response's own handler compares them.
      if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) {
        return null;
      }
      const names = varying.get(incoming.url ?? '');
      const response = names && stored.get(toKey(incoming, names));
      const cacheControl = response?.freshness() ?? null;
      if (response === undefined || cacheControl === null) return null;
      const conditions = {
        ifNoneMatch: headers['if-none-match'],
        ifModifiedSince: headers['if-modified-since'],
      };
      const isKnown = isNotModified(conditions, response);
      const fields = isKnown ? response.notModifiedHeaders : response.headers;
      const requestId = String(headers['x-request-id']);
      const own = ['cache-control', cacheControl, 'x-request-id', requestId];
      outgoing.writeHead(isKnown ? 304 : 200, [...fields, ...own]);
      if (isKnown || method === 'HEAD') outgoing.end();
      else outgoing.end(response.body, 'latin1');
      return response.label;
    },
    store(incoming, response, label) {
      const { body, freshness } = getOwnParts(response) ?? {};
      if (incoming.method !== 'GET' || response.status !== 200 || freshness === undefined) return;
      const names = readVary(response);
      if (!(body instanceof Uint8Array) || isPrivate(response) || names.includes('*')) return;
      const headers: HeaderFields = [...response.headers]
        .filter(([name]) => !variableHeaders.has(name))
        .map(([name, value]) => [name, name === 'x-cache' ? 'hit' : value]);
      varying.set(incoming.url ?? '', names);
      stored.set(toKey(incoming, names), {
        label,
        etag: response.headers.get('etag') ?? '',
        lastModifiedMs: Date.parse(response.headers.get('last-modified') ?? ''),
        freshness,
        headers: headers.flat(),
        notModifiedHeaders: withoutContentHeaders(headers).flat(),
        body: toShortText(body),
      });
    },
  };
}

/** The URL as it came, and the request headers that select a response. */
function toKey({ url, headers }: IncomingMessage, names: readonly string[]): string {
  return [url, ...names.map((name) => `${name}: ${headers[name] ?? ''}`)].join('\n');
}

// A freshness by mistake must not hand one member's response to another.
function isPrivate({ headers }: Response): boolean {
  return headers.has('set-cookie') || /private|no-store/.test(headers.get('cache-control') ?? '');
}

/** Node copies a text of up to 16 kB into the packet of the headers; bytes leave in a packet of their own. */
const shortBytesMax = 14_000;

function toShortText(body: Uint8Array): string | Uint8Array {
  return body.length > shortBytesMax ? body : Buffer.from(body).toString('latin1');
}
