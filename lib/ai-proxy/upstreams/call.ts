import type { Dispatcher } from 'undici';
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
import { parseJson } from './parse-json.ts';
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

/** `settling`: a refusal has been read, and what else comes of its try is of no interest. */
type Phase = 'waiting' | 'sent' | 'answering' | 'refused' | 'settling' | 'over';

const refusalBytesMax = 64 * 1024;
const refusalMs = 3000;
const aborted = new Error('The call was aborted.');

/** One call, over as many tries as are safe; undici's handler and the caller's handle in one object. */
export class UpstreamCall implements OpenCall, Dispatcher.DispatchHandler {
  readonly #parts: CallParts;
  readonly #handler: CallHandler;
  readonly #totalTimer: NodeJS.Timeout;
  #phase: Phase = 'waiting';
  #tries = 0;
  #isLeft = false;
  #controller: Dispatcher.DispatchController | null = null;
  /** Of a try that follows, or of a refusal that is being read. */
  #timer: NodeJS.Timeout | undefined;
  #refusal = { status: 0, retryAfter: '', bytes: 0, chunks: [] as Buffer[] };

  constructor(parts: CallParts, handler: CallHandler) {
    this.#parts = parts;
    this.#handler = handler;
    this.#totalTimer = setTimeout(() => this.#giveUp(), parts.totalMs);
    this.#try();
  }

  abort(): void {
    this.#isLeft = true;
    if (this.#finish('unknown')) this.#controller?.abort(aborted);
  }

  resume(): void {
    if (this.#phase === 'answering') this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: nothing has been sent.
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
      this.#startRefusal(status, firstOf(headers['retry-after']));
      return;
    }
    const known = parseUpstreamHeaders(headers);
    if (known === null) {
      this.#fail({ error: toUpstreamError('a 200 of another kind'), health: 'failed' });
      return;
    }
    this.#phase = 'answering';
    this.#parts.admission.answered();
    this.#tell(() => this.#handler.onHeaders(status, known));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'answering') {
      try {
        if (!this.#handler.onData(chunk)) controller.pause();
      } catch (error) {
        this.#fail(toInternalFailure(error));
      }
    } else if (this.#phase === 'refused') {
      this.#refusal.bytes += chunk.length;
      if (this.#refusal.bytes > refusalBytesMax) this.#endRefusal();
      else this.#refusal.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'refused') {
      this.#endRefusal();
      return;
    }
    if (this.#phase !== 'answering') return;
    // Over only after it: it may still fail.
    this.#tell(() => this.#handler.onEnd());
    this.#finish('sound');
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#phase === 'over' || this.#phase === 'settling') return;
    if (this.#phase === 'refused') {
      this.#endRefusal();
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

  #startRefusal(status: number, retryAfter = ''): void {
    this.#phase = 'refused';
    this.#refusal = { status, retryAfter, bytes: 0, chunks: [] };
    this.#timer = setTimeout(() => this.#endRefusal(), refusalMs);
  }

  // With as much of its body as came in time: the status alone says enough.
  #endRefusal(): void {
    this.#phase = 'settling';
    clearTimeout(this.#timer);
    this.#controller?.abort(aborted);
    const { status, retryAfter, chunks } = this.#refusal;
    const retryAfterMs = parseRetryAfter(retryAfter, this.#parts.now());
    if (this.#tryAgain(status, retryAfterMs, null)) return;
    const body = parseJson(Buffer.concat(chunks).toString());
    this.#fail(toResponseFailure({ status, body, retryAfterMs }));
  }

  // What a callback throws must not be taken for the upstream's doing.
  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#fail(toInternalFailure(error));
    }
  }

  #giveUp(): void {
    this.#fail({ error: toTimeoutError('too long in all'), health: 'failed' });
  }

  #fail({ error, health }: Failure): void {
    if (!this.#finish(health)) return;
    this.#controller?.abort(aborted);
    // Later, since undici may refuse a call while it is being made.
    queueMicrotask(() => {
      if (!this.#isLeft) this.#handler.onError(error);
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
