import { Readable } from 'node:stream';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { heartbeatFrame } from '../stream/stream-relay.ts';
import type { Client } from './attempt.ts';
import { type AcceptedRequest, callTargets, type TargetCallParts } from './call-targets.ts';
import type { Exchange } from './generation.ts';
import { type OpenedStream, openStream } from './stream-reply.ts';

export type StreamResponseParts = TargetCallParts &
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

/**
 * Responds with a stream from the first target that begins one, or with a comment if that takes longer:
 * intermediaries close silent connections. @throws HttpError if it fails before
 */
export async function respondInStream(
  parts: StreamResponseParts,
  accepted: AcceptedRequest,
): Promise<Response> {
  const { heartbeatMs = defaultHeartbeatMs } = parts;
  const { plan, client, recheck, observer, headers } = accepted;
  const { includesCost = false } = plan.generation;
  let exchange: Exchange | null = null;
  let isSilent = false;
  const onBroken = (error: HttpError) => {
    logBroken(parts.log, accepted, error);
    observer.markBroken();
  };
  const opening = callTargets(parts, accepted, {
    run(attempt, _, outputTokensMax) {
      exchange = attempt.exchange;
      return openStream({
        ...attempt,
        includesCost,
        outputTokensMax,
        recheck,
        onBroken,
        log: parts.log,
      });
    },
    onFailure({ status }) {
      if (!isSilent || client.hasLeft) return status;
      observer.markBroken();
      return 200;
    },
  }).then((opened) => {
    if ('result' in opened) throw new TypeError('This endpoint has no stream.');
    return opened;
  });
  const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
  const timer = setTimeout(resolve, heartbeatMs, 'silent');
  const outcome = await Promise.race([opening, silence]).finally(() => clearTimeout(timer));
  isSilent = outcome === 'silent';
  const body = createBody(opening, {
    client,
    heartbeatMs,
    isSilent,
    toFailureText(error) {
      onBroken(error);
      return exchange?.createRelay().fail(error) ?? '';
    },
  });
  return createResponse({ status: 200, headers: [...streamHeaders, ...headers], body });
}

// The response's status is already 200, also in the usage record: only this line shows the failure.
function logBroken(log: Log, { plan }: AcceptedRequest, { code, reason, cause }: HttpError): void {
  const model = plan.model.slice(0, 100);
  const message = 'a reply failed in mid-stream';
  if (code === 'internal_error') log.error({ code, model, err: cause }, message);
  else log.warn({ code, reason, model }, message);
}

type BodyOptions = Readonly<{
  client: Client;
  heartbeatMs: number;
  /** Nothing has come yet: it begins with a comment. */
  isSilent: boolean;
  /** Where the comment came first: a complete stream that reports the failure, in the protocol of the request. */
  toFailureText: (error: HttpError) => string;
}>;

/** Reads the stream as fast as the client does, with a comment after each silence. */
function createBody(
  opening: Promise<OpenedStream>,
  { client, heartbeatMs, isSilent, toFailureText }: BodyOptions,
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
