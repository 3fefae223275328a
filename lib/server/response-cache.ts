import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isNotModified } from '#lib/http/representations/conditional.ts';
import { withoutContentHeaders } from '#lib/http/representations/representation.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { type Freshness, getCacheable, type HeaderFields } from '#lib/http/response.ts';

/** Responses that are written again as they are, for as long as they are fresh. */
export type ResponseCache = Readonly<{
  /** Sends the fresh response that is stored under a key. @returns false if there is none. */
  send: (key: string, incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Stores a response to GET if other clients may get it too. */
  store: (key: string, incoming: IncomingMessage, response: Response) => void;
}>;

type Stored = Readonly<{
  etag: string;
  lastModifiedMs: number;
  freshness: Freshness;
  headers: readonly string[];
  notModifiedHeaders: readonly string[];
  body: string | Uint8Array;
}>;

const bytesMax = 48 * 1024 * 1024;
/** Approximate size of an entry besides its body and key. */
const entryBytes = 2048;

/** Set again each time a stored response is sent. */
const variableHeaders = new Set(['cache-control', 'x-request-id']);

export function createResponseCache(): ResponseCache {
  const stored = new LRUCache<string, Stored>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }, key) => body.length + key.length + entryBytes,
  });
  return {
    send(key, incoming, outgoing) {
      const { method, headers } = incoming;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const response = stored.get(key);
      const cacheControl = response?.freshness() ?? null;
      if (response === undefined || cacheControl === null) return false;
      const conditions = {
        ifNoneMatch: headers['if-none-match'],
        ifModifiedSince: headers['if-modified-since'],
      };
      const isKnown = isNotModified(conditions, response);
      outgoing.writeHead(isKnown ? 304 : 200, [
        ...(isKnown ? response.notModifiedHeaders : response.headers),
        'cache-control',
        cacheControl,
        'x-request-id',
        toRequestId(headers['x-request-id']),
      ]);
      if (isKnown || method === 'HEAD') outgoing.end();
      else outgoing.end(response.body, 'latin1');
      return true;
    },
    store(key, incoming, response) {
      const cacheable = getCacheable(response);
      if (incoming.method !== 'GET' || response.status !== 200 || cacheable === undefined) return;
      const { body, freshness } = cacheable;
      if (!(body instanceof Uint8Array)) return;
      const headers: HeaderFields = [...response.headers]
        .filter(([name]) => !variableHeaders.has(name))
        .map(([name, value]) => [name, name === 'x-cache' ? 'hit' : value]);
      stored.set(key, {
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

/** Node copies a text of up to 16 kB into the packet of the headers; bytes leave in a packet of their own. */
const shortBytesMax = 14_000;

function toShortText(body: Uint8Array): string | Uint8Array {
  return body.length > shortBytesMax ? body : Buffer.from(body).toString('latin1');
}
