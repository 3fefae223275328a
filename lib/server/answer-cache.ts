import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { EventsLoader } from '#lib/events/loader.ts';
import { isNotModified } from '#lib/http/conditional.ts';
import { toCacheControl } from '#lib/http/freshness.ts';
import type { ResponseParts } from '#lib/http/prepared-response.ts';
import { withoutContent } from '#lib/http/representation.ts';
import { toRequestId } from '#lib/http/request-id.ts';

/**
 * Answers that were given once and hold until the events change: the next caller who asks the same way
 * gets them before anything is parsed.
 */
export type AnswerCache = Readonly<{
  /** Sends the kept answer to a request. @returns false where there is none to send. */
  send: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Keeps an answer to a GET, if it is one that holds for others. */
  keep: (incoming: IncomingMessage, parts: ResponseParts) => void;
}>;

type Kept = Readonly<{
  body: Uint8Array;
  etag: string;
  lastModifiedMs: number;
  /** What changes from one time to the next is written into these before they are sent. */
  whole: HeaderList;
  notModified: HeaderList;
}>;

type HeaderList = Readonly<{ list: string[]; cacheControlAt: number; requestIdAt: number }>;

const bytesMax = 48 * 1024 * 1024;

/**
 * Answers hang on the snapshot that they were made from, so no answer outlives it, and Cache-Control
 * is the loader's word at the moment of sending.
 */
export function createAnswerCache(events: EventsLoader): AnswerCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }, key) => body.length + key.length + 2048,
  });
  let generation: object | null = null;

  return {
    send(incoming, outgoing) {
      const { method } = incoming;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const snapshot = events.peek();
      if (snapshot === null || snapshot !== generation) return false;
      const answer = kept.get(toKey(incoming));
      if (answer === undefined) return false;
      const { headers } = incoming;
      const isKnown = isNotModified(toConditions(incoming), answer);
      const { list, cacheControlAt, requestIdAt } = isKnown ? answer.notModified : answer.whole;
      list[cacheControlAt] = toCacheControl(events.freshSeconds(snapshot));
      list[requestIdAt] = toRequestId(headers['x-request-id']);
      outgoing.writeHead(isKnown ? 304 : 200, list);
      outgoing.end(isKnown || method === 'HEAD' ? undefined : answer.body);
      return true;
    },
    keep(incoming, { status, headers, body, generation: madeFrom }) {
      if (status !== 200 || body === null || madeFrom === undefined) return;
      if (incoming.method !== 'GET' || madeFrom !== events.peek()) return;
      if (madeFrom !== generation) {
        kept.clear();
        generation = madeFrom;
      }
      kept.set(toKey(incoming), {
        body,
        etag: readHeader(headers, 'ETag'),
        lastModifiedMs: Date.parse(readHeader(headers, 'Last-Modified')),
        whole: toHeaderList(headers),
        notModified: toHeaderList(withoutContent(headers)),
      });
    },
  };
}

function toConditions({ headers }: IncomingMessage) {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  return { ifNoneMatch, ifModifiedSince };
}

// All that an answer can be chosen by, as it was sent.
function toKey({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}

function toHeaderList(list: string[]): HeaderList {
  return {
    list,
    cacheControlAt: list.indexOf('Cache-Control') + 1,
    requestIdAt: list.indexOf('X-Request-Id') + 1,
  };
}

function readHeader(headers: readonly string[], name: string): string {
  return headers[headers.indexOf(name) + 1] ?? '';
}
