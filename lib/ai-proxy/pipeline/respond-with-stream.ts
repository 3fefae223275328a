import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { createByteRelay } from '../stream/byte-relay.ts';
import { createGarbageFailure, createOverflowFailure } from '../stream/upstream-failure.ts';
import { toHealth, toInternalFailure } from '../upstreams/errors/failure.ts';
import { chargeForFailure } from './charge-for-failure.ts';
import { clientDisconnectedStatus, createClientDisconnectedError } from './client-disconnected.ts';
import type { ClientStream } from './client-stream.ts';
import type { AcceptedRequest, Attempt, Exchange } from './generation.ts';
import { createStreamBudget } from './stream-budget.ts';

/** Longest event of an upstream's stream, in characters. */
const eventLengthMax = 4 * 1024 * 1024;
/** Longest stream, in bytes: far more than any model generates. */
const streamBytesMax = 512 * 1024 * 1024;
/** Longest JSON body in place of a stream, in bytes. */
const jsonBytesMax = 4 * 1024 * 1024;
/** Longest text before a reply, in characters. */
const prefaceLengthMax = 64 * 1024;
/** How long to wait for the upstream's end after `[DONE]`, so that its connection can be reused. */
const lingerMs = 1000;
/** How long to wait for the usage of a complete stream after the client has disconnected. */
const usageWaitMs = 5000;

/**
 * Sends the reply as it is generated. The upstream is read as fast as the client reads, and aborted when the
 * client disconnects. A failure before the reply has begun is thrown, and nothing of this target was sent; a
 * later one becomes an event.
 */
export function respondWithStream(
  accepted: AcceptedRequest,
  { target, exchange, mayFailOver, replyWithinMs }: Attempt,
  client: ClientStream,
): Promise<Response> {
  const { request, accounting, reservation } = accepted;
  const relay = exchange.createRelay();
  accounting.setProgress(() => relay.usage);
  const budget = createStreamBudget({
    reservation,
    onDecision(decision) {
      if (isOver) return;
      advance(decision === 'continue' ? bytes.resume() : relay.endByLength());
      if (decision === 'end') call.abort('healthy');
      else call.resume();
    },
    onError(error) {
      if (!isOver) fail(toInternalFailure(error).error);
    },
  });
  const bytes = createByteRelay(relay, {
    ...{ eventLengthMax, bytesMax: streamBytesMax },
    mayContinue() {
      const { inputTokens, outputTokens } = relay.usage;
      return relay.isDone || budget.mayContinue(inputTokens + outputTokens);
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  /** The body where the upstream sends JSON instead of a stream: most often an error. */
  let jsonChunks: Buffer[] | null = null;
  let jsonBytes = 0;
  /** What came before the reply, such as its role; another target would send its own. */
  let preface = '';
  let hasBegun = false;
  let isOver = false;
  /** The client has disconnected; the upstream is still read for its usage. */
  let isAbandoned = false;
  let linger: NodeJS.Timeout | undefined;

  client.setSource({
    resume: () => call.resume(),
    abandon,
    toFailureText: (error) => exchange.createRelay().fail(error),
  });

  // Comments of the upstream are no part of a reply.
  const replyTimeout =
    replyWithinMs === null ? undefined : setTimeout(() => call.timeOut(), replyWithinMs);

  function write(text: string): boolean {
    if (hasBegun) return send(text);
    preface += text;
    const mayWait = !relay.hasOutput && preface.length <= prefaceLengthMax;
    return mayWait || beginReply();
  }

  function send(text: string): boolean {
    if (text === '' || isAbandoned) return true;
    accounting.markFirstByte();
    return client.write(text);
  }

  function beginReply(): boolean {
    if (hasBegun) return true;
    hasBegun = true;
    clearTimeout(replyTimeout);
    if (!isAbandoned) resolve(client.open(accepted.headers));
    return send(preface);
  }

  /** Writes what the relay has returned, and ends where the relay is done; false pauses the upstream. */
  function advance(text: string): boolean {
    const canTakeMore = write(text);
    if (relay.failure !== null && !hasBegun) {
      failEarly(relay.failure);
    } else if (relay.isDone) {
      finish();
      endUpstream();
    }
    return (canTakeMore && !budget.isDeciding()) || isOver;
  }

  function fail(error: HttpError): void {
    if (isAbandoned) endAbandoned();
    else if (hasBegun) advance(relay.fail(error));
    else failEarly(error);
  }

  /** The stream is complete, or has failed. */
  function finish(): void {
    if (isAbandoned) endAbandoned();
    if (isOver) return;
    isOver = true;
    const { failure, usage, hasOutput } = relay;
    if (failure !== null) {
      logFailure(accepted, failure);
      accounting.observer.markBroken();
    }
    accounting.settle(200, failure !== null && !hasOutput ? chargeFor(failure) : usage);
    beginReply();
    client.end();
  }

  /** Aborts a stream that failed; gives a complete one a moment to end. */
  function endUpstream(): void {
    if (relay.failure !== null) call.abort(toHealth(relay.failure));
    else linger = setTimeout(() => call.abort('healthy'), lingerMs).unref();
  }

  function failEarly(error: HttpError): void {
    isOver = true;
    clearTimeout(replyTimeout);
    call.abort(toHealth(error));
    accounting.addCharge(chargeFor(error));
    reject(error);
  }

  function chargeFor(error: HttpError): TokenUsage | null {
    const { promptTokensEstimate } = accepted.generation;
    return chargeForFailure({ error, wasSent: call.wasSent(), promptTokensEstimate });
  }

  function abandon(): void {
    if (isOver || isAbandoned) return;
    isAbandoned = true;
    clearTimeout(replyTimeout);
    reject(createClientDisconnectedError());
    call.resume();
    if (relay.awaitsUsage) linger = setTimeout(endAbandoned, usageWaitMs).unref();
    else endAbandoned();
  }

  function endAbandoned(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(linger);
    call.abort();
    accounting.settle(clientDisconnectedStatus, call.wasSent() ? relay.usage : null);
  }

  const call = target.upstream.call(
    {
      method: 'POST',
      path: exchange.path,
      body: exchange.body,
      isStream: true,
      headers: request.headers,
      group: { circuit: target.model, keyId: accepted.keyId },
    },
    {
      onHeaders(_status, { contentType }) {
        if (contentType.includes('json')) {
          jsonChunks = [];
          return;
        }
        // Wait for what came with the headers: an error there can still be thrown.
        setImmediate(() => {
          // Until a part of the reply is there, another target may take over.
          if (!isOver && !mayFailOver) beginReply();
        });
      },
      onData(chunk) {
        if (isOver) return true;
        if (jsonChunks === null) return advance(bytes.push(chunk));
        jsonBytes += chunk.length;
        if (jsonBytes > jsonBytesMax) fail(createOverflowFailure());
        else jsonChunks.push(chunk);
        return true;
      },
      onEnd() {
        clearTimeout(linger);
        if (isOver) return;
        if (jsonChunks === null) advance(bytes.end());
        else fail(readFailure(exchange, Buffer.concat(jsonChunks).toString()));
      },
      onError(error) {
        if (!isOver) fail(error);
      },
    },
  );
  return promise;
}

/** Reports the last target's failure in a stream that a comment has already opened. */
export function endWithFailure(
  accepted: AcceptedRequest,
  failure: HttpError,
  client: ClientStream,
): void {
  logFailure(accepted, failure);
  accepted.accounting.observer.markBroken();
  accepted.accounting.settle(200, null);
  client.fail(failure);
}

// The response's status is already 200, also in the usage record: only this line shows the failure.
function logFailure(
  { log, generation }: AcceptedRequest,
  { code, reason, cause }: HttpError,
): void {
  const model = generation.models[0]?.slice(0, 100);
  const message = 'a reply failed in mid-stream';
  if (code === 'internal_error') log.error({ code, model, err: cause }, message);
  else log.warn({ code, reason, model }, message);
}

function readFailure(exchange: Exchange, text: string): HttpError {
  try {
    exchange.toResult(text);
  } catch (error) {
    if (isHttpError(error)) return error;
    throw error;
  }
  return createGarbageFailure();
}
