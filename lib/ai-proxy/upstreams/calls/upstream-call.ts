import type { Dispatcher } from 'undici';
import { type HttpError, toHttpError, withOptions } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';
import { parseRetryAfter } from '#lib/http/retry-after.ts';
import {
  type Failure,
  toConnectionFailure,
  toNetworkErrorCode,
  toTimeoutError,
  toUpstreamError,
} from '../errors/failure.ts';
import { toResponseFailure } from '../errors/upstream-error.ts';
import type { CallParts } from './call-parts.ts';
import { ErrorResponse } from './error-response.ts';
import { ReplyBuffer } from './reply-buffer.ts';
import { type ResponseHeaders, readResponseHeaders } from './response-headers.ts';
import { toRetryWaitMs } from './retry.ts';

/**
 * `replying`: a readable 200 has begun. `settling`: an error response has been read, and further events of this
 * attempt are ignored.
 */
type Phase = 'waiting' | 'sent' | 'replying' | 'ended' | 'reading-error' | 'settling' | 'closed';

const errorBodyMs = 3000;
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
  readonly #reply = new ReplyBuffer();
  #isPaused = false;
  /** Of the next attempt, of reading an error response, or of the end of a complete reply. */
  #timer: NodeJS.Timeout | undefined;
  #errorResponse: ErrorResponse | null = null;

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
    const next = this.#reply.next();
    if (this.#isPaused) this.#resume();
    return next;
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
    this.#reply.clear();
    this.#reply.end(null);
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

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (this.#phase !== 'sent' || status < 200) return;
    const { contentType, isReadable, isCompressed, retryAfter } = readResponseHeaders(headers);
    if (status === 200 && isCompressed) {
      const error = toUpstreamError({ reason: 'a compressed reply', isBillable: true });
      this.#fail({ error, health: 'failed' });
      return;
    }
    if (status !== 200 || !isReadable) {
      // A 200 of another kind is most often a page, which costs nothing; but it may be JSON that reports usage.
      this.#startErrorResponse(status, retryAfter);
      return;
    }
    this.#phase = 'replying';
    this.#parts.admission.responded();
    this.#open(contentType);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'replying') {
      this.#isPaused = this.#reply.add(chunk);
      if (this.#isPaused) controller.pause();
    } else if (this.#phase === 'reading-error') {
      if (this.#errorResponse?.add(chunk)) this.#endErrorResponse();
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'closed') clearTimeout(this.#timer);
    if (this.#phase === 'reading-error') this.#endErrorResponse();
    if (this.#phase !== 'replying') return;
    this.#phase = 'ended';
    clearTimeout(this.#totalTimer);
    this.#reply.end(null);
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

  #startErrorResponse(status: number, retryAfter: string): void {
    this.#phase = 'reading-error';
    this.#errorResponse = new ErrorResponse(status, retryAfter);
    this.#timer = setTimeout(() => this.#endErrorResponse(), errorBodyMs);
  }

  // Uses as much of the body as arrived in time; the status alone is enough.
  #endErrorResponse(): void {
    this.#phase = 'settling';
    clearTimeout(this.#timer);
    this.#controller?.abort(aborted);
    const { status = 0, retryAfter = '', text = '' } = this.#errorResponse ?? {};
    const retryAfterMs = parseRetryAfter(retryAfter, this.#parts.now());
    if (this.#tryAgain(status, retryAfterMs, null)) return;
    this.errorText = text;
    if (status === 200) {
      const error = toUpstreamError({ reason: 'a 200 of another kind' });
      this.#fail({ error, health: 'failed' });
      return;
    }
    const { body: sent } = this.#parts.options;
    this.#fail(
      toResponseFailure({
        status,
        body: parseJson(this.errorText),
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
    const failure = withOptions(error, { wasSent: this.wasSent });
    this.#rejectOpened(failure);
    this.#reply.end(failure);
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
