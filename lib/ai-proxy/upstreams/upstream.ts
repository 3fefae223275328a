import { type Dispatcher, interceptors, Pool } from 'undici';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';
import type { Log } from '#lib/http/log.ts';
import { createMinuteWindow } from '#lib/http/minute-window.ts';
import {
  type BlockedCalls,
  type BreakerSettings,
  type CallGroup,
  createBreakers,
} from './breakers.ts';
import { type CallParts, UpstreamCall } from './calls/upstream-call.ts';
import { type ClientHeaders, createHeaders, type UpstreamConnection } from './connection.ts';
import { toErrorInBody } from './errors/reported-error.ts';
import {
  type Failure,
  toBlockedError,
  toOverloadedError,
  toUpstreamError,
} from './errors/upstream-failure.ts';
import type { AdmitCall } from './limits/shared-limits.ts';

export type UpstreamOptions = UpstreamConnection &
  Readonly<{
    log: Log;
    now?: () => number;
    /** A monotonic clock, in ms. */
    uptime?: () => number;
    /** The most concurrent calls; further ones fail at once with a 503. */
    callsMax?: number;
    /** The most calls in a minute; further ones fail at once with a 503. */
    requestsPerMinute?: number;
    /** Also asked for each call: limits that are counted elsewhere. */
    admit?: AdmitCall;
    breaker?: Partial<BreakerSettings>;
  }>;

/** What an operator sees of an upstream. */
export type UpstreamHealth = BlockedCalls &
  Readonly<{
    openCalls: number;
    /** In our own words, never the upstream's; `atMs` in Unix ms. */
    lastFailure: Readonly<{ atMs: number; reason: string }> | null;
  }>;

export type UpstreamRequest = Readonly<{
  method: 'GET' | 'POST';
  /** Relative to the upstream's base URL, such as `/chat/completions`. */
  path: `/${string}`;
  /** The path begins where the one of the API does, not within it. */
  isBesideApi?: boolean;
  /** JSON, ready to be sent. */
  body?: string | Uint8Array;
  /** Requests an event stream instead of JSON. */
  isStream?: boolean;
  /** The client's; a few are forwarded (see connection.ts). */
  headers?: ClientHeaders;
  /** Which calls share its circuit breaker: by default those of its path. */
  group?: CallGroup;
  /** Longest time for the whole call, ms, if shorter than the upstream's own. */
  totalMs?: number;
}>;

export type Upstream = Readonly<{
  /** Starts a call. @throws HttpError 503 if the upstream takes no more of them at present */
  call: (request: UpstreamRequest) => UpstreamCall;
  /** A complete body as JSON; an error in a 200 is an error. @throws HttpError */
  fetchJson: (request: UpstreamRequest, bytesMax?: number) => Promise<unknown>;
  health: () => UpstreamHealth;
  /** Takes no more calls, and resolves when the running ones have ended. */
  drain: () => Promise<void>;
  /** Ends all calls. */
  close: () => Promise<void>;
}>;

/** How long a reply may be late. */
export const lateReplyMs = 10 * 60_000;

const bodyBytesMax = 32 * 1024 * 1024;
/** SDKs try three times. */
const defaultBreaker: BreakerSettings = { failuresMax: 3, openMs: 5000, openMsMax: 30_000 };

/** Some upstreams compress although `identity` is requested. undici prints that this is experimental. */
function decompress(pool: Pool): Dispatcher {
  return pool.compose(interceptors.decompress({ skipErrorResponses: false }));
}

/**
 * A client for one OpenAI-compatible upstream on undici's pool, below fetch. Redirects are not
 * followed, so the key goes to the configured host only. HTTP/1.1, so that back-pressure applies to
 * the call's own socket.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, url, timeouts, callsMax = 1024, now = Date.now } = options;
  const { requestsPerMinute = Number.POSITIVE_INFINITY, uptime = () => performance.now() } =
    options;
  const log = name === undefined ? options.log : withUpstream(options.log, name);
  const { totalMs = 30 * 60_000 } = timeouts;
  const base = new URL(url);
  const toHeaders = createHeaders(options);
  const pool = createPool(base.origin, callsMax, timeouts);
  let dispatcher: Dispatcher | null = null;
  const breakers = createBreakers({ ...defaultBreaker, ...options.breaker, uptime, log });
  const minute = createMinuteWindow();
  let openCalls = 0;
  let lastFailure: UpstreamHealth['lastFailure'] = null;
  const onDone: CallParts['onDone'] = (health, error) => {
    openCalls -= 1;
    if (!isFailure(health, error)) return;
    lastFailure = { atMs: now(), reason: error?.reason ?? 'an unusable reply' };
  };

  function call(request: UpstreamRequest): UpstreamCall {
    if (openCalls >= callsMax)
      throw toOverloadedError({ reason: 'too many calls', retryAfterMs: 1000 });
    if (minute.count(uptime()) >= requestsPerMinute) {
      const waitMs = minute.untilBelow(requestsPerMinute, uptime());
      throw toOverloadedError({ reason: 'too many calls in a minute', retryAfterMs: waitMs });
    }
    const { method, path, body } = request;
    const group = request.group ?? { circuit: `${method} ${path}`, owner: null };
    const admission = breakers.enter(group);
    if (typeof admission === 'number') throw toBlockedError(admission);
    openCalls += 1;
    dispatcher ??= decompress(pool);
    if (requestsPerMinute !== Number.POSITIVE_INFINITY) minute.add(uptime());
    const admitted = options.admit?.() ?? null;
    return new UpstreamCall({
      dispatcher,
      options: {
        method,
        path: toPath(base, request),
        headers: toHeaders(request),
        body: body ?? null,
      },
      admission,
      admitted,
      totalMs: request.totalMs ?? totalMs,
      now,
      onDone,
    });
  }

  return {
    call,
    async fetchJson(request, bytesMax = bodyBytesMax) {
      const reading = call(request);
      try {
        const body = parseJsonBody(await reading.readText(bytesMax));
        reading.close('healthy');
        return body;
      } finally {
        // What could not be read counts as a failure.
        reading.close('failed');
      }
    },
    health: () => ({ ...breakers.blocked(), openCalls, lastFailure }),
    drain: () => pool.close(),
    close: () => pool.destroy(),
  };
}

function createPool(
  origin: string,
  callsMax: number,
  { firstByteMs, idleMs = firstByteMs, connectMs = 10_000 }: UpstreamConnection['timeouts'],
): Pool {
  return new Pool(origin, {
    connections: callsMax,
    pipelining: 1,
    allowH2: false,
    // The call goes on after its client was told that it is late: its cost must become known.
    headersTimeout: Math.max(firstByteMs, lateReplyMs),
    bodyTimeout: idleMs,
    keepAliveTimeout: 30_000,
    connect: { timeout: Math.min(connectMs, firstByteMs) },
  });
}

function toPath({ pathname, search }: URL, { path, isBesideApi }: UpstreamRequest): string {
  const ofApi = pathname.replace(/\/+$/, '');
  const base = isBesideApi ? ofApi.replace(/\/v\d\w*$/, '') : ofApi;
  return base + path + (path.includes('?') ? search.replace('?', '&') : search);
}

/**
 * Parses the body of a 200 response. @throws HttpError: 502 if it is not JSON, or the error that it contains.
 */
function parseJsonBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw toUpstreamError({ reason: 'a 200 that is not JSON' });
  const failure = toErrorInBody(body);
  if (failure !== null) throw failure.error;
  return body;
}

/** Also a rejected account, which no breaker counts; but no mistake of a client. */
function isFailure(health: Failure['health'], error: HttpError | null): boolean {
  if (error === null) return health === 'failed';
  return error.status >= 500 && error.code !== 'internal_error';
}

function withUpstream(log: Log, upstream: string): Log {
  return {
    info: (fields, message) => log.info({ upstream, ...fields }, message),
    warn: (fields, message) => log.warn({ upstream, ...fields }, message),
    error: (fields, message) => log.error({ upstream, ...fields }, message),
  };
}
