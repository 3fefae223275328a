import type { Dispatcher } from 'undici';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/read-body.ts';
import type { Admission } from '../breakers/breakers.ts';
import {
  type Failure,
  toConnectionFailure,
  toErrorCode,
  toInternalFailure,
  toTimeoutError,
  toUpstreamError,
} from '../errors/failure.ts';
import { parseRetryAfter } from '../errors/retry-after.ts';
import { toResponseFailure } from '../errors/upstream-error.ts';
import type { CallHandler, OpenCall } from './open-call.ts';
import { firstOf, parseUpstreamHeaders, type RawHeaders } from './response-headers.ts';
import { toRetryWaitMs } from './retry.ts';

export type CallParts = Readonly<{
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  options: Dispatcher.DispatchOptions & { method: 'GET' | 'POST' };
  admission: Admission;
  totalMs: number;
  now: () => number;
  /** `error`: why it failed. */
  onDone: (health: Failure['health'], error: HttpError | null) => void;
}>;

/** `settling`: the error response has been read, and further events of this attempt are ignored. */
type Phase = 'waiting' | 'sent' | 'streaming' | 'reading-error' | 'settling' | 'done';

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
  #wasSent = false;
  #controller: Dispatcher.DispatchController | null = null;
  /** Of the next attempt, or of reading an error response. */
  #timer: NodeJS.Timeout | undefined;
  #errorResponse = { status: 0, retryAfter: '', bytes: 0, chunks: [] as Buffer[] };

  constructor(parts: CallParts, handler: CallHandler) {
    this.#parts = parts;
    this.#handler = handler;
    this.#totalTimer = setTimeout(() => this.#timeOut(), parts.totalMs);
    this.#try();
  }

  abort(health: Failure['health'] = 'unknown'): void {
    this.#isAborted = true;
    if (this.#finish(health)) this.#controller?.abort(aborted);
  }

  wasSent(): boolean {
    return this.#wasSent;
  }

  resume(): void {
    if (this.#phase === 'streaming') this.#controller?.resume();
  }

  timeOut(): void {
    this.#fail({ error: toTimeoutError('no reply in time'), health: 'failed' });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while waiting for a connection: nothing has been sent.
    if (this.#phase === 'done') {
      controller.abort(aborted);
      return;
    }
    this.#controller = controller;
    this.#phase = 'sent';
    this.#wasSent = true;
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
    this.#phase = 'streaming';
    this.#parts.admission.responded();
    this.#notify(() => this.#handler.onHeaders(status, known));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'streaming') {
      try {
        if (!this.#handler.onData(chunk)) controller.pause();
      } catch (error) {
        this.#fail(toInternalFailure(error));
      }
    } else if (this.#phase === 'reading-error') {
      this.#errorResponse.bytes += chunk.length;
      if (this.#errorResponse.bytes > errorBodyBytesMax) this.#endErrorResponse();
      else this.#errorResponse.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'reading-error') {
      this.#endErrorResponse();
      return;
    }
    if (this.#phase !== 'streaming') return;
    // Finished afterwards, since the callback may throw.
    this.#notify(() => this.#handler.onEnd());
    this.#finish('healthy');
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#phase === 'done' || this.#phase === 'settling') return;
    if (this.#phase === 'reading-error') {
      this.#endErrorResponse();
      return;
    }
    const wasSent = this.#phase !== 'waiting';
    if (this.#phase !== 'streaming' && this.#tryAgain(null, null, toErrorCode(error))) return;
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
    const body = parseJson(Buffer.concat(chunks).toString());
    const { body: sent } = this.#parts.options;
    this.#fail(
      toResponseFailure({
        ...{ status, body, retryAfterMs },
        ...(typeof sent === 'string' && { sent }),
      }),
    );
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
    if (!this.#finish(health, error)) return;
    this.#controller?.abort(aborted);
    // Deferred: undici may fail a call synchronously.
    queueMicrotask(() => {
      if (!this.#isAborted) this.#handler.onError(error);
    });
  }

  /** Returns false if the call was already done. */
  #finish(health: Failure['health'], error: HttpError | null = null): boolean {
    if (this.#phase === 'done') return false;
    this.#phase = 'done';
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#timer);
    this.#parts.admission.end(health);
    this.#parts.onDone(health, error);
    return true;
  }
}
