import { Readable } from 'node:stream';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { writeJson } from '../protocols/json/source-text.ts';
import type { Exchange } from '../protocols/model-request.ts';
import { heartbeatFrame } from '../stream/stream-relay.ts';
import type { AcceptedRequest } from './attempt.ts';
import { type OpenedReply, openReply, type ReplyParts } from './open-reply.ts';
import { reportBroken, type StreamedReply } from './streamed-reply.ts';

export type StreamResponseParts = ReplyParts &
  Readonly<{
    /** How long a stream may be silent before a comment is sent. */
    heartbeatMs?: number;
  }>;

/** Intermediaries close connections that are silent for about a minute. */
const defaultHeartbeatMs = 15_000;
/** How many bytes may be buffered for the client before the upstream is paused. */
const bufferedBytesMax = 64 * 1024;

const streamHeaders: HeaderFields = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-cache, no-transform'],
  ['X-Accel-Buffering', 'no'],
];

/** Responds with a complete reply, from the first target that begins one. @throws HttpError */
export async function respondInJson(
  parts: ReplyParts,
  accepted: AcceptedRequest,
): Promise<Response> {
  const reply = await openReply(parts, accepted);
  if ('error' in reply) throw reply.error;
  if (!('result' in reply)) throw new TypeError('A stream was not requested.');
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...accepted.headers,
    ],
    body: writeJson(reply.result),
  });
}

/**
 * Responds with a stream from the first target that begins one, or with a comment if that takes longer:
 * intermediaries close silent connections. @throws HttpError if it fails before
 */
export async function respondInStream(
  parts: StreamResponseParts,
  accepted: AcceptedRequest,
): Promise<Response> {
  const { heartbeatMs = defaultHeartbeatMs, log } = parts;
  const opening = openReply(parts, accepted);
  const { promise: silence, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, heartbeatMs, null);
  const opened = await Promise.race([opening, silence]).finally(() => clearTimeout(timer));
  if (opened !== null && 'error' in opened) throw opened.error;
  const body = new StreamBody({ accepted, heartbeatMs, log });
  if (opened === null) {
    accepted.client.startResponse();
    body.write(heartbeatFrame);
  }
  void body.writeReply(opening);
  return createResponse({ status: 200, headers: [...streamHeaders, ...accepted.headers], body });
}

type StreamBodyOptions = Readonly<{ accepted: AcceptedRequest; heartbeatMs: number; log: Log }>;

/** Reads a reply as fast as the client does, with a comment after each silence. */
class StreamBody extends Readable {
  readonly #options: StreamBodyOptions;
  readonly #heartbeat: NodeJS.Timeout;
  /** The client takes more, or has left. */
  #resume: () => void = () => {};

  constructor(options: StreamBodyOptions) {
    super({ highWaterMark: bufferedBytesMax });
    this.#options = options;
    this.#heartbeat = setTimeout(() => this.write(heartbeatFrame), options.heartbeatMs);
    // It may leave before the response is sent.
    options.accepted.client.left.then(() => this.destroy());
  }

  /** Returns whether the client takes more at once. */
  write(text: string): boolean {
    if (this.destroyed) return true;
    this.#heartbeat.refresh();
    return this.push(text);
  }

  async writeReply(opening: Promise<OpenedReply>): Promise<void> {
    let exchange: Exchange | null = null;
    try {
      const reply = await opening;
      if ('result' in reply) throw new TypeError('This endpoint has no stream.');
      exchange = reply.exchange;
      if ('error' in reply) throw reply.error;
      await this.#writeStream(reply);
    } catch (thrown) {
      if (!this.#options.accepted.client.hasLeft) this.#fail(toHttpError(thrown), exchange);
    }
    clearTimeout(this.#heartbeat);
    this.push(null);
  }

  async #writeStream(reply: StreamedReply): Promise<void> {
    try {
      if (!this.write(reply.first)) await this.#wait();
      while (!reply.isOver && !this.destroyed) {
        const text = await reply.read();
        if (text !== '' && !this.write(text)) await this.#wait();
      }
    } finally {
      await reply.end();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  /** After a comment: a complete stream that reports the failure, in the protocol of the request. */
  #fail(error: HttpError, exchange: Exchange | null): void {
    reportBroken(this.#options.log, this.#options.accepted, error);
    this.push(exchange?.createRelay().fail(error) ?? '');
  }

  override _read(): void {
    this.#resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#heartbeat);
    this.#options.accepted.client.leave();
    this.#resume();
    done(error);
  }
}
