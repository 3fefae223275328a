import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isNotModified } from '#lib/http/conditional.ts';
import type { Lifetime, ResponseParts } from '#lib/http/prepared-response.ts';
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
  body: Uint8Array | string;
  etag: string;
  lastModifiedMs: number;
  lifetime: Lifetime;
  /** What changes from one time to the next is written into these before they are sent. */
  whole: HeaderList;
  notModified: HeaderList;
}>;

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
    sizeCalculation: ({ body }, key) => body.length + key.length + 2048,
  });
  let sweptAt = performance.now();

  function sweep(): void {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    for (const [key, { lifetime }] of kept.entries()) {
      if (lifetime() === null) kept.delete(key);
    }
    sweptAt = performance.now();
  }

  return {
    send(incoming, outgoing) {
      const { method } = incoming;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const answer = kept.get(toKey(incoming));
      const cacheControl = answer?.lifetime() ?? null;
      if (answer === undefined || cacheControl === null) return false;
      const isKnown = isNotModified(toConditions(incoming), answer);
      const { list, cacheControlAt, requestIdAt } = isKnown ? answer.notModified : answer.whole;
      list[cacheControlAt] = cacheControl;
      list[requestIdAt] = toRequestId(incoming.headers['x-request-id']);
      outgoing.writeHead(isKnown ? 304 : 200, list);
      outgoing.end(isKnown || method === 'HEAD' ? undefined : answer.body, 'latin1');
      return true;
    },
    keep(incoming, { status, headers, body, lifetime }) {
      if (incoming.method !== 'GET' || status !== 200) return;
      if (!(body instanceof Uint8Array) || lifetime === undefined) return;
      const list = toKeptHeaders(headers);
      // Somebody has looked at it, and its headers are no longer as they were written.
      if (!list.includes('Cache-Control') || !list.includes('X-Request-Id')) return;
      sweep();
      kept.set(toKey(incoming), {
        body: body.length > shortBytesMax ? body : Buffer.from(body).toString('latin1'),
        etag: readHeader(list, 'ETag'),
        lastModifiedMs: Date.parse(readHeader(list, 'Last-Modified')),
        lifetime,
        whole: toHeaderList(list),
        notModified: toHeaderList(withoutContent(list)),
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
