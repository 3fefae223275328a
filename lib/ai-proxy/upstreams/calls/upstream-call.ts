import type { Dispatcher } from 'undici';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';
import { parseRetryAfter } from '#lib/http/retry-after.ts';
import type { Admission } from '../breakers.ts';
import { toResponseFailure } from '../errors/upstream-error.ts';
import {
  type Failure,
  toConnectionFailure,
  toFailure,
  toNetworkErrorCode,
  toTimeoutError,
  toUpstreamError,
} from '../errors/upstream-failure.ts';
import { ReplyBuffer } from './reply-buffer.ts';

/** What one call of an upstream needs. */
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

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * `replying`: a readable 200 has begun. `settling`: an error response has been read, and further events of this
 * attempt are ignored.
 */
type Phase = 'waiting' | 'sent' | 'replying' | 'ended' | 'reading-error' | 'settling' | 'closed';

const errorBodyMs = 3000;
/** How long a complete reply has to end, so that its connection can be used again. */
const lingerMs = 1000;
const aborted = new Error('The call was aborted.');

const triesMax = 3;
const firstRetryMs = 50;
/** For longer waits, the client should retry. */
const retryMsMax = 2000;
/** Transient connection errors. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

/** An attempt of which nothing was passed on. */
type FailedTry = Readonly<{
  /** Of the response, if there was one. */
  status?: number;
  retryAfterMs?: number | null;
  /** undici's or Node's, if there was none. */
  errorCode?: string;
}>;

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
  /** Of a response that is no reply. */
  #status = 0;
  #retryAfter = '';
  /** Of the next attempt, of reading an error response, or of the end of a complete reply. */
  #timer: NodeJS.Timeout | undefined;

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

  /** Reads a complete reply. @throws HttpError if the call fails, or for more than `bytesMax` */
  async readText(bytesMax: number): Promise<string> {
    await this.opened;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        const reason = `a body of more than ${bytesMax} bytes`;
        throw toUpstreamError({ reason, isBillable: true });
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
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
    this.#reply.take();
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
    const [contentType = ''] = firstOf(headers['content-type']).split(';', 1);
    const mediaType = contentType.trim().toLowerCase();
    if (status === 200 && !['', 'identity'].includes(firstOf(headers['content-encoding']))) {
      const error = toUpstreamError({ reason: 'a compressed reply', isBillable: true });
      this.#fail({ error, health: 'failed' });
      return;
    }
    if (status !== 200 || !isReadable(mediaType)) {
      // A 200 of another kind is most often a page, which costs nothing; but it may be JSON that reports usage.
      this.#phase = 'reading-error';
      this.#status = status;
      this.#retryAfter = firstOf(headers['retry-after']);
      this.#timer = setTimeout(() => this.#endErrorResponse(), errorBodyMs);
      return;
    }
    this.#phase = 'replying';
    this.#parts.admission.responded();
    this.#open(mediaType);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'replying') {
      this.#isPaused = this.#reply.add(chunk);
      if (this.#isPaused) controller.pause();
    } else if (this.#phase === 'reading-error' && this.#reply.add(chunk)) {
      this.#endErrorResponse();
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
    const isReplying = this.#phase === 'replying';
    if (!isReplying && this.#tryAgain({ errorCode: toNetworkErrorCode(error) })) return;
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
      this.#fail({ error: toFailure(error), health: 'unknown' });
    }
  }

  /** Sends the same request again in a while, unless that is pointless, or may cost money twice. */
  #tryAgain(failed: FailedTry): boolean {
    const { retryAfterMs = null } = failed;
    const waitMs = retryAfterMs ?? firstRetryMs * 4 ** (this.#tries - 1);
    if (this.#tries >= triesMax || waitMs > retryMsMax || !this.#mayTryAgain(failed)) return false;
    this.#phase = 'waiting';
    this.#timer = setTimeout(() => this.#try(), waitMs);
    return true;
  }

  /** A POST may cost money each time, so it is retried only if it was never sent (RFC 9110 §9.2.2). */
  #mayTryAgain({ status, retryAfterMs = null, errorCode = '' }: FailedTry): boolean {
    const isGet = this.#parts.options.method === 'GET';
    if (status === 429) return isGet && retryAfterMs !== null;
    if (status !== undefined) return isGet && (status === 502 || status === 503);
    return passing.has(errorCode) && (isGet || this.#phase === 'waiting');
  }

  // Uses as much of the body as arrived in time; the status alone is enough.
  #endErrorResponse(): void {
    this.#phase = 'settling';
    clearTimeout(this.#timer);
    this.#controller?.abort(aborted);
    const status = this.#status;
    const text = this.#reply.take()?.toString() ?? '';
    const retryAfterMs = parseRetryAfter(this.#retryAfter, this.#parts.now());
    if (this.#tryAgain({ status, retryAfterMs })) return;
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
    this.#rejectOpened(error);
    this.#reply.end(error);
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

function firstOf(value: string | string[] | undefined): string {
  const [first = ''] = Array.isArray(value) ? value : [value];
  return first;
}

// Some upstreams omit the type for JSON, or use one of their own.
function isReadable(mediaType: string): boolean {
  if (mediaType === '' || mediaType === 'text/event-stream') return true;
  return /^application\/(?:[\w.-]+\+)?(?:json|octet-stream)$|^text\/plain$/.test(mediaType);
}
