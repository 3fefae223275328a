import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isNotModified } from '#lib/http/conditional.ts';
import type { Freshness, ResponseParts } from '#lib/http/prepared-response.ts';
import { withoutContent } from '#lib/http/representation.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { routerHeaders } from './router-headers.ts';

/**
 * Answers that were given once and still hold: the next caller who asks the same way gets them before
 * anything is parsed.
 */
export type AnswerCache = Readonly<{
  /** Sends the kept answer to a request. @returns false where there is none to send. */
  send: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Keeps an answer to a GET, if it is one that holds for others. */
  keep: (incoming: IncomingMessage, parts: ResponseParts) => void;
}>;

type Kept = Readonly<{
  etag: string;
  /** Unix time in ms; not a number where only a 304 was given, which does not say it. */
  lastModifiedMs: number;
  freshness: Freshness;
  notModified: HeaderList;
  /** Null as long as only callers who have the content have asked: then it serves their like alone. */
  whole: Whole | null;
}>;

type Whole = Readonly<{ headers: HeaderList; body: Uint8Array | string }>;

/** What changes from one time to the next is written into the list before it is sent. */
type HeaderList = Readonly<{ list: string[]; cacheControlAt: number; requestIdAt: number }>;

/**
 * Up to so many bytes, a text of one character a byte is sent faster: in one piece with the headers. Node
 * writes up to 16 kB of text without asking for memory.
 */
const shortBytesMax = 14_000;
const bytesMax = 48 * 1024 * 1024;
const sweepEveryMs = 10_000;

/** Keeps what was asked for last. How long an answer holds is the answer's own word, asked each time. */
export function createAnswerCache(): AnswerCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ whole }, key) => (whole?.body.length ?? 0) + key.length + 2048,
  });
  let sweptAt = performance.now();

  function sweep(): void {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    for (const [key, { freshness }] of kept.entries()) {
      if (freshness() === null) kept.delete(key);
    }
    sweptAt = performance.now();
  }

  return {
    send(incoming, outgoing) {
      const { method } = incoming;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const answer = kept.get(toKey(incoming));
      const cacheControl = answer?.freshness() ?? null;
      if (answer === undefined || cacheControl === null) return false;
      const isKnown = isNotModified(toConditions(incoming), answer);
      const headers = isKnown ? answer.notModified : answer.whole?.headers;
      if (headers === undefined) return false;
      const { list, cacheControlAt, requestIdAt } = headers;
      list[cacheControlAt] = cacheControl;
      list[requestIdAt] = toRequestId(incoming.headers['x-request-id']);
      outgoing.writeHead(isKnown ? 304 : 200, list);
      outgoing.end(isKnown || method === 'HEAD' ? undefined : answer.whole?.body, 'latin1');
      return true;
    },
    keep(incoming, { status, headers, body, freshness }) {
      if (incoming.method !== 'GET' || freshness === undefined) return;
      const isWhole = status === 200 && body instanceof Uint8Array;
      if (!isWhole && status !== 304) return;
      const list = toKeptHeaders(headers);
      // Somebody has looked at it, and its headers are no longer as they were written.
      if (!list.includes('Cache-Control') || !list.includes('X-Request-Id')) return;
      sweep();
      kept.set(toKey(incoming), {
        etag: readHeader(list, 'ETag'),
        lastModifiedMs: Date.parse(readHeader(list, 'Last-Modified')),
        freshness,
        notModified: toHeaderList(withoutContent(list)),
        whole: isWhole ? { headers: toHeaderList(list), body: toQuickBody(body) } : null,
      });
    },
  };
}

function toConditions({ headers }: IncomingMessage) {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  return { ifNoneMatch, ifModifiedSince };
}

// All that an answer can be chosen by, as it was sent. The last are those of Next's own client.
function toKey({ url, headers }: IncomingMessage): string {
  const key = `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
  if (headers.rsc === undefined) return key;
  return `${key}\n${routerHeaders.map((name) => headers[name] ?? '').join('\n')}`;
}

// The kept list belongs to the cache; a page that is sent from here has been found, not made.
function toKeptHeaders(headers: readonly string[]): string[] {
  const list = [...headers];
  const cacheAt = list.indexOf('X-Cache');
  if (cacheAt !== -1) list[cacheAt + 1] = 'hit';
  return list;
}

function toQuickBody(body: Uint8Array<ArrayBuffer>): Uint8Array | string {
  return body.length > shortBytesMax ? body : Buffer.from(body).toString('latin1');
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
