import type { Dispatcher } from 'undici';
import { type HttpError, toHttpError, withOptions } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';
import { parseRetryAfter } from '#lib/http/retry-after.ts';
import type { Admission } from '../breakers.ts';
import {
  type Failure,
  toConnectionFailure,
  toNetworkErrorCode,
  toTimeoutError,
  toUpstreamError,
} from '../errors/failure.ts';
import { toResponseFailure } from '../errors/upstream-error.ts';
import { toRetryWaitMs } from './retry.ts';

export type CallParts = Readonly<{
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  options: Dispatcher.DispatchOptions & { method: 'GET' | 'POST' };
  admission: Admission;
  /** Nothing is sent before it resolves, with what is to be called at the end. Null: nothing is to be waited for. */
  admitted: Promise<() => void> | null;
  totalMs: number;
  now: () => number;
  /** `error`: why it failed. */
  onDone: (health: Failure['health'], error: HttpError | null) => void;
}>;

/**
 * `replying`: a readable 200 has begun. `settling`: an error response has been read, and further events of this
 * attempt are ignored.
 */
type Phase = 'waiting' | 'sent' | 'replying' | 'ended' | 'reading-error' | 'settling' | 'closed';

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;
type Waiting = Readonly<{
  resolve: (chunk: Buffer | null) => void;
  reject: (error: HttpError) => void;
}>;

const errorBodyBytesMax = 64 * 1024;
const errorBodyMs = 3000;
/** How much of a reply is buffered before the upstream is paused. */
const bufferedBytesMax = 64 * 1024;
/** How long a complete reply has to end, so that its connection can be used again. */
const lingerMs = 1000;
const aborted = new Error('The call was aborted.');

/**
 * One call of an upstream, with its safe retries. Its reply is pulled: await `opened`, then `next` until it is null.
 * Call `close` in the end, whatever happened.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  /** The media type of a readable 200, in lower case. Rejects with an HttpError for anything else. */
  readonly opened: Promise<string>;
  /** Whether the request may have reached the upstream. */
  wasSent = false;
  /** The body of an error response, or of a 200 that is no reply: it may report usage. */
  errorText = '';
  readonly #parts: CallParts;
  readonly #open: (contentType: string) => void;
  readonly #rejectOpened: (error: HttpError) => void;
  readonly #totalTimer: NodeJS.Timeout;
  #phase: Phase = 'waiting';
  #tries = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #isPaused = false;
  #waiting: Waiting | null = null;
  #error: HttpError | null = null;
  /** Of the next attempt, of reading an error response, or of the end of a complete reply. */
  #timer: NodeJS.Timeout | undefined;
  #errorResponse = { status: 0, retryAfter: '', bytes: 0, chunks: [] as Buffer[] };

  constructor(parts: CallParts) {
    this.#parts = parts;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.opened = promise;
    this.#open = resolve;
    this.#rejectOpened = reject;
    // A client that has stopped waiting does not want to know.
    promise.catch(() => {});
    this.#totalTimer = setTimeout(() => this.#timeOut(), parts.totalMs);
    if (parts.admitted === null) this.#try();
    else void this.#tryOnceAdmitted(parts.admitted);
  }

  /** What has come of the reply since; null at its end, or after `close`. @throws HttpError if the call fails */
  next(): Promise<Buffer | null> {
    if (this.#chunks.length > 0) {
      const chunk = joinChunks(this.#chunks);
      this.#chunks = [];
      this.#bufferedBytes = 0;
      if (this.#isPaused) this.#resume();
      return Promise.resolve(chunk);
    }
    if (this.#error !== null) return Promise.reject(this.#error);
    if (this.#phase === 'ended' || this.#phase === 'closed') return Promise.resolve(null);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    this.#waiting = { resolve, reject };
    return promise;
  }

  /**
   * Ends the call, in mid-reply by closing its connection. Only the first time counts.
   * @param health what the reply shows about the upstream; by default nothing.
   */
  close(health: Failure['health'] = 'unknown'): void {
    const phase = this.#phase;
    if (!this.#finish(health, null)) return;
    if (phase !== 'ended') this.#controller?.abort(aborted);
    // An error costs its stack trace: most calls have opened long ago.
    if (phase !== 'ended' && phase !== 'replying') {
      this.#rejectOpened(toUpstreamError({ reason: 'the call was closed' }));
    }
    this.#waiting?.resolve(null);
    this.#waiting = null;
    this.#chunks = [];
  }

  /** The reply is complete, though the upstream may not have ended it: its connection may be used again. */
  closeSoon(): void {
    if (this.#phase === 'ended') this.close('healthy');
    if (!this.#finish('healthy', null)) return;
    this.#resume();
    this.#timer = setTimeout(() => this.#controller?.abort(aborted), lingerMs).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Closed while waiting for a connection: nothing has been sent.
    if (this.#phase === 'closed') {
      controller.abort(aborted);
      return;
    }
    this.#controller = controller;
    this.#phase = 'sent';
    this.wasSent = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    if (this.#phase !== 'sent' || status < 200) return;
    if (status !== 200) {
      this.#startErrorResponse(status, firstOf(headers['retry-after']));
      return;
    }
    const encoding = firstOf(headers['content-encoding']) ?? 'identity';
    const contentType = firstOf(headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase();
    if (encoding !== 'identity') {
      const error = toUpstreamError({ reason: 'a compressed reply', isBillable: true });
      this.#fail({ error, health: 'failed' });
      return;
    }
    if (!isReadable(contentType ?? '')) {
      // Most often a page, which costs nothing; but it may be JSON that reports usage.
      this.#startErrorResponse(status);
      return;
    }
    this.#phase = 'replying';
    this.#parts.admission.responded();
    this.#open(contentType ?? '');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'replying') {
      this.#take(chunk, controller);
    } else if (this.#phase === 'reading-error') {
      this.#errorResponse.bytes += chunk.length;
      if (this.#errorResponse.bytes > errorBodyBytesMax) this.#endErrorResponse();
      else this.#errorResponse.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'closed') clearTimeout(this.#timer);
    if (this.#phase === 'reading-error') this.#endErrorResponse();
    if (this.#phase !== 'replying') return;
    this.#phase = 'ended';
    clearTimeout(this.#totalTimer);
    this.#waiting?.resolve(null);
    this.#waiting = null;
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#phase === 'closed' || this.#phase === 'settling') return;
    if (this.#phase === 'reading-error') {
      this.#endErrorResponse();
      return;
    }
    const wasSent = this.#phase !== 'waiting';
    if (this.#phase !== 'replying' && this.#tryAgain(null, null, toNetworkErrorCode(error))) return;
    this.#fail(toConnectionFailure(error, wasSent));
  }

  #take(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    if (this.#waiting !== null) {
      this.#waiting.resolve(chunk);
      this.#waiting = null;
      return;
    }
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes < bufferedBytesMax) return;
    this.#isPaused = true;
    controller.pause();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#controller?.resume();
  }

  #try(): void {
    this.#phase = 'waiting';
    this.#tries += 1;
    this.#controller = null;
    this.#parts.dispatcher.dispatch(this.#parts.options, this);
  }

  async #tryOnceAdmitted(admitted: Promise<unknown>): Promise<void> {
    try {
      await admitted;
      if (this.#phase !== 'closed') this.#try();
    } catch (error) {
      this.#fail({ error: toHttpError(error), health: 'unknown' });
    }
  }

  #tryAgain(status: number | null, retryAfterMs: number | null, errorCode: string | null): boolean {
    const waitMs = toRetryWaitMs({
      method: this.#parts.options.method,
      tries: this.#tries,
      wasSent: this.#phase !== 'waiting',
      status,
      retryAfterMs,
      errorCode,
    });
    if (waitMs === null) return false;
    this.#phase = 'waiting';
    this.#timer = setTimeout(() => this.#try(), waitMs);
    return true;
  }

  #startErrorResponse(status: number, retryAfter = ''): void {
    this.#phase = 'reading-error';
    this.#errorResponse = { status, retryAfter, bytes: 0, chunks: [] };
    this.#timer = setTimeout(() => this.#endErrorResponse(), errorBodyMs);
  }

  // Uses as much of the body as arrived in time; the status alone is enough.
  #endErrorResponse(): void {
    this.#phase = 'settling';
    clearTimeout(this.#timer);
    this.#controller?.abort(aborted);
    const { status, retryAfter, chunks } = this.#errorResponse;
    const retryAfterMs = parseRetryAfter(retryAfter, this.#parts.now());
    if (this.#tryAgain(status, retryAfterMs, null)) return;
    this.errorText = Buffer.concat(chunks).toString();
    if (status === 200) {
      const error = toUpstreamError({ reason: 'a 200 of another kind' });
      this.#fail({ error, health: 'failed' });
      return;
    }
    const body = parseJson(this.errorText);
    const { body: sent } = this.#parts.options;
    this.#fail(
      toResponseFailure({
        status,
        body,
        retryAfterMs,
        ...(typeof sent === 'string' && { sent }),
      }),
    );
  }

  #timeOut(): void {
    this.#fail({ error: toTimeoutError({ reason: 'total time exceeded' }), health: 'failed' });
  }

  #fail({ error, health }: Failure): void {
    if (!this.#finish(health, error)) return;
    this.#controller?.abort(aborted);
    this.#error = withOptions(error, { wasSent: this.wasSent });
    this.#rejectOpened(this.#error);
    this.#waiting?.reject(this.#error);
    this.#waiting = null;
  }

  /** Returns false if the call was already closed. */
  #finish(health: Failure['health'], error: HttpError | null): boolean {
    if (this.#phase === 'closed') return false;
    this.#phase = 'closed';
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#timer);
    this.#parts.admission.end(health);
    this.#parts.admitted?.then((end) => end()).catch(() => {});
    this.#parts.onDone(health, error);
    return true;
  }
}

/** Reads a complete reply. @throws HttpError if the call fails, or for more than `bytesMax` */
export async function readText(call: UpstreamCall, bytesMax: number): Promise<string> {
  await call.opened;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let chunk = await call.next(); chunk !== null; chunk = await call.next()) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const error = toUpstreamError({ reason: `a body of more than ${bytesMax} bytes` });
      throw withOptions(error, { wasSent: true, isBillable: true });
    }
    chunks.push(chunk);
  }
  return joinChunks(chunks).toString();
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

// Some upstreams omit the type for JSON, or use one of their own.
function isReadable(contentType: string): boolean {
  if (contentType === '' || contentType === 'text/event-stream') return true;
  return /^application\/(?:[\w.-]+\+)?(?:json|octet-stream)$|^text\/plain$/.test(contentType);
}
