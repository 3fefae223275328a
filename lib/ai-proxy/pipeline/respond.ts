import type { HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { Authenticated } from '#lib/keys/key-authenticator.ts';
import { toTimeoutError } from '../upstreams/errors/failure.ts';
import {
  type Attempt,
  createClient,
  createClientDisconnectedError,
  failCall,
  readErrorUsage,
  readReply,
  toCallError,
  waitForReply,
} from './attempt.ts';
import { type AcceptedRequest, callTargets, type TargetCallParts } from './call-targets.ts';
import type { Exchange } from './generation.ts';
import { openStream } from './stream-reply.ts';
import { respondWithStream } from './stream-response.ts';

export type ReplyParts = TargetCallParts &
  Readonly<{
    /** How long a stream may be silent before a comment is sent. */
    heartbeatMs?: number;
    log: Log;
  }>;

/** Intermediaries close connections that are silent for about a minute. */
const defaultHeartbeatMs = 15_000;

type RepliedRequest = Omit<AcceptedRequest, 'client'> &
  Readonly<{
    recheck: Authenticated['recheck'];
    /** Of the response. */
    headers: HeaderFields;
  }>;

/** Responds from the first target that begins to reply: in JSON, or with a stream. @throws HttpError */
export async function respond(parts: ReplyParts, request: RepliedRequest): Promise<Response> {
  const accepted = { ...request, client: createClient(request.request) };
  if (accepted.client.hasLeft) throw createClientDisconnectedError();
  return request.plan.generation.isStream
    ? respondInStream(parts, accepted)
    : respondInJson(parts, accepted);
}

type Accepted = RepliedRequest & Pick<AcceptedRequest, 'client'>;

async function respondInJson(parts: ReplyParts, accepted: Accepted): Promise<Response> {
  const { plan, bills, headers } = accepted;
  const { isFree = false } = plan.generation;
  const reply = await callTargets(parts, accepted, async (attempt) => ({
    upstreamResult: await readJsonReply(attempt, isFree),
  }));
  // Made here, without an upstream.
  if ('result' in reply) bills.current?.release(200);
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...headers,
    ],
    body: JSON.stringify('result' in reply ? reply.result : reply.upstreamResult),
  });
}

/**
 * Reads a complete reply. A client that leaves, or has waited for too long, does not end the call: its cost must
 * become known. @param isFree nothing is generated, and nothing is charged. @throws HttpError
 */
async function readJsonReply(attempt: Attempt, isFree: boolean): Promise<object> {
  const { call, bill, background } = attempt;
  const reading = readReply(attempt);
  const outcome = await waitForReply(reading, attempt).catch((thrown) => {
    const error = toCallError(attempt, thrown);
    if (isFree) call.close();
    else failCall(attempt, error, null);
    throw error;
  });
  if (typeof outcome === 'string') {
    const error =
      outcome === 'late' ? toTimeoutError({ reason: 'late' }) : createClientDisconnectedError();
    if (call.wasSent && !isFree) {
      const usage = reading.then(
        (reply) => reply.usage,
        (thrown) => readErrorUsage(attempt) ?? Promise.reject(thrown),
      );
      background.add({ call, bill, status: error.status, usage });
    } else {
      call.close();
    }
    throw error;
  }
  const { reply } = outcome;
  if ('error' in reply) {
    failCall(attempt, reply.error, reply.usage);
    throw reply.error;
  }
  call.close('healthy');
  bill.markFirstByte();
  if (isFree) bill.release(200);
  else bill.settle(200, reply.usage);
  return reply.result;
}

async function respondInStream(parts: ReplyParts, accepted: Accepted): Promise<Response> {
  const { heartbeatMs = defaultHeartbeatMs } = parts;
  const { client, bills, recheck, observer, headers } = accepted;
  let exchange: Exchange | null = null;
  const onBroken = (error: HttpError) => {
    logBroken(parts.log, accepted, error);
    observer.markBroken();
  };
  const opening = callTargets(parts, accepted, (attempt, _, outputTokensMax) => {
    exchange = attempt.exchange;
    return openStream({ ...attempt, outputTokensMax, recheck, onBroken, log: parts.log });
  }).then((opened) => {
    if ('result' in opened) throw new TypeError('This endpoint has no stream.');
    return opened;
  });
  return respondWithStream(opening, {
    client,
    headers,
    heartbeatMs,
    toFailureText(error) {
      onBroken(error);
      bills.current?.release(200);
      return exchange?.createRelay().fail(error) ?? '';
    },
  });
}

// The response's status is already 200, also in the usage record: only this line shows the failure.
function logBroken(log: Log, { plan }: Accepted, { code, reason, cause }: HttpError): void {
  const model = plan.model.slice(0, 100);
  const message = 'a reply failed in mid-stream';
  if (code === 'internal_error') log.error({ code, model, err: cause }, message);
  else log.warn({ code, reason, model }, message);
}
