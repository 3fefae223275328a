import type { ProxyError } from '../proxy-error.ts';
import type { ClientHeaders } from './request-headers.ts';
import type { UpstreamHeaders } from './response-headers.ts';

export type UpstreamRequest = Readonly<{
  method: 'GET' | 'POST';
  /** Relative to the upstream's base URL, such as `/chat/completions`. */
  path: `/${string}`;
  /** JSON, ready to be sent. */
  body?: string | Uint8Array;
  /** Asks for a stream of events rather than for JSON. */
  isStream?: boolean;
  /** The client's; a few are forwarded (see request-headers.ts). */
  headers?: ClientHeaders;
  /** What shares its failures, such as a model's id: see breakers.ts. */
  circuit?: string;
  /** Longest time for the whole call, ms, where the upstream's own is too long. */
  totalMs?: number;
}>;

/**
 * The events of a call: `onHeaders`, `onData` any number of times, then `onEnd`; or `onError` at any moment, and
 * nothing after it. Never before `call()` has returned, and nothing at all after an abort.
 */
export type CallHandler = Readonly<{
  /** Only for a 200 with a body that can be read; everything else is an error. */
  onHeaders: (status: number, headers: UpstreamHeaders) => void;
  /**
   * False stops reading from the upstream until `resume()`; what one read brought along may still come. A chunk
   * ends anywhere, and belongs to the handler.
   */
  onData: (chunk: Buffer) => boolean;
  onEnd: () => void;
  onError: (error: ProxyError) => void;
}>;

export type OpenCall = Readonly<{
  /** Ends the call and closes its connection; at any moment, any number of times. */
  abort: () => void;
  resume: () => void;
}>;
