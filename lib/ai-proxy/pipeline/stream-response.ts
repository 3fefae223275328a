import { Readable } from 'node:stream';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { heartbeatFrame } from '../stream/stream-relay.ts';
import type { Client } from './attempt.ts';
import type { OpenedStream } from './stream-reply.ts';

export type StreamResponseOptions = Readonly<{
  client: Client;
  /** Of the response. */
  headers: HeaderFields;
  /** How long a stream may be silent before a comment is sent. */
  heartbeatMs: number;
  /** Where the comment came first: a complete stream that reports the failure, in the protocol of the request. */
  toFailureText: (error: HttpError) => string;
}>;

/** How many bytes may be buffered for the client before the upstream is paused. */
const bufferedBytesMax = 64 * 1024;

const streamHeaders: HeaderFields = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-cache, no-transform'],
  ['X-Accel-Buffering', 'no'],
];

/**
 * Responds with a stream as soon as it has begun, or with a comment if that takes longer: intermediaries close silent
 * connections. @throws HttpError if it fails before
 */
export async function respondWithStream(
  opening: Promise<OpenedStream>,
  options: StreamResponseOptions,
): Promise<Response> {
  const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
  const timer = setTimeout(resolve, options.heartbeatMs, 'silent');
  const outcome = await Promise.race([opening, silence]).finally(() => clearTimeout(timer));
  return createResponse({
    status: 200,
    headers: [...streamHeaders, ...options.headers],
    body: createBody(opening, options, outcome === 'silent'),
  });
}

/** Reads the stream as fast as the client does, with a comment after each silence. */
function createBody(
  opening: Promise<OpenedStream>,
  { client, heartbeatMs, toFailureText }: StreamResponseOptions,
  isSilent: boolean,
): Readable {
  let stream: OpenedStream | null = null;
  let isPulling = false;

  async function pull(): Promise<void> {
    if (stream === null) {
      stream = await opening;
      if (!push(stream.first)) return;
    }
    for (;;) {
      const { done, value } = await stream.rest.next();
      if (done === true) return end();
      if (!push(value)) return;
    }
  }

  function push(text: string): boolean {
    heartbeat.refresh();
    return body.push(text);
  }

  function end(): void {
    clearTimeout(heartbeat);
    body.push(null);
  }

  function fail(thrown: unknown): void {
    if (!client.hasLeft) body.push(toFailureText(toHttpError(thrown)));
    end();
  }

  const body = new Readable({
    highWaterMark: bufferedBytesMax,
    read() {
      if (isPulling) return;
      isPulling = true;
      pull()
        .catch(fail)
        .finally(() => {
          isPulling = false;
        });
    },
    destroy(error, done) {
      clearTimeout(heartbeat);
      client.leave();
      // Settles what has run until now.
      opening.then(({ rest }) => rest.return()).catch(() => {});
      done(error);
    },
  });
  const heartbeat = setTimeout(() => {
    if (!body.destroyed) push(heartbeatFrame);
  }, heartbeatMs);
  if (isSilent) push(heartbeatFrame);
  // The client may leave before the response is sent.
  client.left.then(() => body.destroy());
  return body;
}
