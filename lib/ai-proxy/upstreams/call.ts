import type { Dispatcher } from 'undici';
import { parseJson } from '../protocols/json/json-value.ts';
import type { Admission } from './breakers.ts';
import {
  type Failure,
  toConnectionFailure,
  toErrorCode,
  toInternalFailure,
  toTimeoutError,
  toUpstreamError,
} from './failure.ts';
import type { CallHandler, OpenCall } from './open-call.ts';
import { firstOf, parseUpstreamHeaders, type RawHeaders } from './response-headers.ts';
import { toRetryWaitMs } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';
import { toResponseFailure } from './upstream-error.ts';

export type CallParts = Readonly<{
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  options: Dispatcher.DispatchOptions & { method: 'GET' | 'POST' };
  admission: Admission;
  totalMs: number;
  now: () => number;
  onOver: () => void;
}>;

/** `settling`: an error response has been read, and further events of its attempt are ignored. */
type Phase = 'waiting' | 'sent' | 'answering' | 'rejected' | 'settling' | 'over';

const errorBodyBytesMax = 64 * 1024;
const errorBodyMs = 3000;
const aborted = new Error('The call was aborted.');

/** One call with its safe retries: both undici's handler and the handle that `call()` returns. */
export class UpstreamCall implements OpenCall, Dispatcher.DispatchHandler {
  readonly #parts: CallParts;
  readonly #handler: CallHandler;
  readonly #totalTimer: NodeJS.Timeout;
  #phase: Phase = 'waiting';
  #tries = 0;
  #isAborted = false;
  #controller: Dispatcher.DispatchController | null = null;
  /** Of the next attempt, or of an error response being read. */
  #timer: NodeJS.Timeout | undefined;
  #errorResponse = { status: 0, retryAfter: '', bytes: 0, chunks: [] as Buffer[] };

  constructor(parts: CallParts, handler: CallHandler) {
    this.#parts = parts;
    this.#handler = handler;
    this.#totalTimer = setTimeout(() => this.#timeOut(), parts.totalMs);
    this.#try();
  }

  abort(): void {
    this.#isAborted = true;
    if (this.#finish('unknown')) this.#controller?.abort(aborted);
  }

  resume(): void {
    if (this.#phase === 'answering') this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while waiting for a connection: nothing has been sent.
    if (this.#phase === 'over') {
      controller.abort(aborted);
      return;
    }
    this.#controller = controller;
    this.#phase = 'sent';
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    if (this.#phase !== 'sent' || status < 200) return;
    if (status !== 200) {
      this.#startErrorResponse(status, firstOf(headers['retry-after']));
      return;
    }
    const known = parseUpstreamHeaders(headers);
    if (known === null) {
      this.#fail({ error: toUpstreamError('a 200 of another kind'), health: 'failed' });
      return;
    }
    this.#phase = 'answering';
    this.#parts.admission.answered();
    this.#notify(() => this.#handler.onHeaders(status, known));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'answering') {
      try {
        if (!this.#handler.onData(chunk)) controller.pause();
      } catch (error) {
        this.#fail(toInternalFailure(error));
      }
    } else if (this.#phase === 'rejected') {
      this.#errorResponse.bytes += chunk.length;
      if (this.#errorResponse.bytes > errorBodyBytesMax) this.#endErrorResponse();
      else this.#errorResponse.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'rejected') {
      this.#endErrorResponse();
      return;
    }
    if (this.#phase !== 'answering') return;
    // Over only after it: it may still fail.
    this.#notify(() => this.#handler.onEnd());
    this.#finish('sound');
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#phase === 'over' || this.#phase === 'settling') return;
    if (this.#phase === 'rejected') {
      this.#endErrorResponse();
      return;
    }
    const wasSent = this.#phase !== 'waiting';
    if (this.#phase !== 'answering' && this.#tryAgain(null, null, toErrorCode(error))) return;
    this.#fail(toConnectionFailure(error, wasSent));
  }

  #try(): void {
    this.#phase = 'waiting';
    this.#tries += 1;
    this.#controller = null;
    this.#parts.dispatcher.dispatch(this.#parts.options, this);
  }

  #tryAgain(status: number | null, retryAfterMs: number | null, errorCode: string | null): boolean {
    const waitMs = toRetryWaitMs({
      method: this.#parts.options.method,
      tries: this.#tries,
      wasSent: this.#phase !== 'waiting',
      ...{ status, retryAfterMs, errorCode },
    });
    if (waitMs === null) return false;
    this.#phase = 'waiting';
    this.#timer = setTimeout(() => this.#try(), waitMs);
    return true;
  }

  #startErrorResponse(status: number, retryAfter = ''): void {
    this.#phase = 'rejected';
    this.#errorResponse = { status, retryAfter, bytes: 0, chunks: [] };
    this.#timer = setTimeout(() => this.#endErrorResponse(), errorBodyMs);
  }

  // With as much of the body as arrived in time; the status alone is enough.
  #endErrorResponse(): void {
    this.#phase = 'settling';
    clearTimeout(this.#timer);
    this.#controller?.abort(aborted);
    const { status, retryAfter, chunks } = this.#errorResponse;
    const retryAfterMs = parseRetryAfter(retryAfter, this.#parts.now());
    if (this.#tryAgain(status, retryAfterMs, null)) return;
    const body = parseJson(Buffer.concat(chunks).toString());
    this.#fail(toResponseFailure({ status, body, retryAfterMs }));
  }

  // An error thrown by a callback is ours, not the upstream's.
  #notify(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#fail(toInternalFailure(error));
    }
  }

  #timeOut(): void {
    this.#fail({ error: toTimeoutError('total time exceeded'), health: 'failed' });
  }

  #fail({ error, health }: Failure): void {
    if (!this.#finish(health)) return;
    this.#controller?.abort(aborted);
    // Deferred: undici may fail a call synchronously.
    queueMicrotask(() => {
      if (!this.#isAborted) this.#handler.onError(error);
    });
  }

  /** False where it was over already. */
  #finish(health: Failure['health']): boolean {
    if (this.#phase === 'over') return false;
    this.#phase = 'over';
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#timer);
    this.#parts.admission.end(health);
    this.#parts.onOver();
    return true;
  }
}
