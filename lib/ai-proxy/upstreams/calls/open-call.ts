import type { HttpError } from '#lib/http/errors/errors.ts';
import type { CallGroup } from '../breakers/breakers.ts';
import type { Failure } from '../errors/failure.ts';
import type { ClientHeaders } from './request-headers.ts';
import type { UpstreamHeaders } from './response-headers.ts';

export type UpstreamRequest = Readonly<{
  method: 'GET' | 'POST';
  /** Relative to the upstream's base URL, such as `/chat/completions`. */
  path: `/${string}`;
  /** JSON, ready to be sent. */
  body?: string | Uint8Array;
  /** Requests an event stream instead of JSON. */
  isStream?: boolean;
  /** The client's; a few are forwarded (see request-headers.ts). */
  headers?: ClientHeaders;
  /** Which calls share its circuit breaker: see breakers.ts. */
  group?: CallGroup;
  /** Longest wait for the response's headers, ms, if shorter than the upstream's own. */
  replyWithinMs?: number;
  /** Longest time for the whole call, ms, if shorter than the upstream's own. */
  totalMs?: number;
}>;

/**
 * The events of a call: `onHeaders`, `onData` any number of times, then `onEnd`; or `onError` at
 * any time, and nothing after it. No event before `call()` has returned, and none after an abort.
 */
export type CallHandler = Readonly<{
  /** Only for a readable 200; everything else is an error. */
  onHeaders: (status: number, headers: UpstreamHeaders) => void;
  /**
   * Returning false pauses the upstream until `resume()`; chunks already read may still come.
   * Chunks end anywhere, and belong to the handler.
   */
  onData: (chunk: Buffer) => boolean;
  onEnd: () => void;
  onError: (error: HttpError) => void;
}>;

export type OpenCall = Readonly<{
  /**
   * Ends the call and closes its connection; may be called at any time, repeatedly.
   * @param health what the reply shows about the upstream; by default nothing.
   */
  abort: (health?: Failure['health']) => void;
  resume: () => void;
  /** Whether the request may have reached the upstream. */
  wasSent: () => boolean;
  /** Fails the call with a timeout. */
  timeOut: () => void;
}>;
