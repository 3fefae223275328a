import { Readable } from 'node:stream';
import type { ServerRequest } from 'srvx';
import { toClientAddress } from '#lib/http/client-address.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createOpenCounter } from '#lib/http/open-counter.ts';
import { acceptQuality, namesMediaType } from '#lib/http/representations/accept.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { ChangeStore, ChangesPage } from './change-store.ts';
import { type ChangeWatcher, createChangeStreams } from './change-stream.ts';
import {
  type ChangesQuery,
  createLostCursorError,
  parseChangesQuery,
} from './parse-changes-query.ts';

type ChangesOptions = Readonly<{
  events: Readonly<{ current: () => Promise<unknown> }>;
  store: ChangeStore;
  watcher: ChangeWatcher;
  /** Aborted when the process has been told to stop: all streams end. */
  shutdown: AbortSignal;
  /** See `readClientAddress`. */
  trustedHops: number;
  now: () => number;
}>;

/** Responds with the list of changes, or with the stream of those to come. */
export type ChangesResponder = (request: Request) => Promise<Response>;

const json = 'application/json';
const eventStream = 'text/event-stream';
const streamHeaders: HeaderFields = [
  ['Content-Type', `${eventStream}; charset=utf-8`],
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept'],
  // nginx would buffer it.
  ['X-Accel-Buffering', 'no'],
];

/** As many as nginx lets a client have connections. */
const streamsMax = 256;

export function createChangesResponder(options: ChangesOptions): ChangesResponder {
  const { events, store, watcher, shutdown, trustedHops, now } = options;
  const openStream = createOpenCounter(streamsMax);
  const streamChanges = createChangeStreams({ list: store.list, watcher });

  async function listOrThrow(query: ChangesQuery): Promise<ChangesPage> {
    const page = await store.list(query);
    if (page !== null) return page;
    throw createLostCursorError(query.start && 'after' in query.start ? query.start.after : '');
  }

  async function respondWithList(request: Request, query: ChangesQuery): Promise<Response> {
    const { changes, next, hasMore, readAtMs } = await listOrThrow(query);
    const generatedAt = new Date(readAtMs).toISOString();
    const body = { data: changes, meta: { next: String(next), hasMore, generatedAt } };
    const representation = createRepresentation({
      contentType: `${json}; charset=utf-8`,
      body: `${JSON.stringify(body)}\n`,
      lastModifiedMs: readAtMs,
      vary: 'Accept',
    });
    return respondWith(request, representation, () => null);
  }

  async function respondWithStream(request: Request, query: ChangesQuery): Promise<Response> {
    const after = await findStart(query);
    const end = openStream(toClientAddress(request, trustedHops));
    if (end === null) throw createTooManyStreamsError();
    // Also after a HEAD, which reads no body.
    (request as ServerRequest).runtime?.node?.res?.once('close', end);
    const closed = new AbortController();
    const signal = AbortSignal.any([request.signal, shutdown, closed.signal]);
    const body = Readable.from(streamChanges({ after, types: query.types }, signal));
    body.once('close', () => closed.abort());
    return createResponse({ status: 200, headers: streamHeaders, body });
  }

  /** The position that a stream begins after: without one in the request, the newest. */
  async function findStart(query: ChangesQuery): Promise<number> {
    const { start } = query;
    if (start === null) return (await store.findHead()).position;
    const { changes, next } = await listOrThrow({ start, limit: 1, types: [] });
    const [first] = changes;
    return first === undefined ? next : Number(first.id) - 1;
  }

  return async (request) => {
    const isStream = wantsStream(request.headers.get('accept'));
    const lastEventId = isStream ? request.headers.get('last-event-id') : null;
    const query = parseChangesQuery(request.url, { nowMs: now(), lastEventId });
    // It reads the table if that is due, and records what has changed.
    await events.current();
    return isStream ? respondWithStream(request, query) : respondWithList(request, query);
  };
}

export function createTooManyStreamsError() {
  return createApiError('too_many_requests', {
    message: `Your network has ${streamsMax} event streams open.`,
    hint: 'Close one of them first.',
    headers: { 'Retry-After': '60' },
  });
}

function wantsStream(accept: string | null): boolean {
  const [quality, jsonQuality] = [acceptQuality(accept, eventStream), acceptQuality(accept, json)];
  if (quality === 0 && jsonQuality === 0) {
    throw createApiError('not_acceptable', {
      message: `This endpoint returns ${json} or ${eventStream}; the Accept header rules both out.`,
      hint: `Send \`Accept: ${json}\` for the list, or \`Accept: ${eventStream}\` for a stream.`,
      headers: { Vary: 'Accept' },
    });
  }
  return namesMediaType(accept, eventStream) && quality >= jsonQuality;
}
