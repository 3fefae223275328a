import { toJsonObject, toText } from '#lib/http/json-value.ts';
import { createResponse } from '#lib/http/response.ts';
import { toRecordedUsd } from '#lib/spend/charge.ts';
import { writeJson } from '../protocols/json/source-text.ts';
import { withCost } from '../stream/reply-cost.ts';
import { createClientDisconnectedError, createLateFailure } from '../upstreams/errors/failure.ts';
import {
  type Attempt,
  failCall,
  readErrorUsage,
  readReply,
  toCallError,
  waitForReply,
} from './attempt.ts';
import { type AcceptedRequest, callTargets, type TargetCallParts } from './call-targets.ts';

/** Responds with a complete reply, from the first target that begins one. @throws HttpError */
export async function respondInJson(
  parts: TargetCallParts,
  accepted: AcceptedRequest,
): Promise<Response> {
  const { plan, headers } = accepted;
  const { isFree = false, includesCost = false } = plan.generation;
  const reply = await callTargets(parts, accepted, {
    run: async (attempt) => ({
      upstreamResult: await readJsonReply(attempt, { isFree, includesCost }),
    }),
  });
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...headers,
    ],
    body: writeJson('result' in reply ? reply.result : reply.upstreamResult),
  });
}

/**
 * Reads a complete reply. A client that leaves, or has waited for too long, does not end the call: its cost must
 * become known. @param isFree nothing is generated, and nothing is charged. @throws HttpError
 */
async function readJsonReply(
  attempt: Attempt,
  { isFree, includesCost }: Readonly<{ isFree: boolean; includesCost: boolean }>,
): Promise<object> {
  const { call, bill, background } = attempt;
  const reading = readReply(attempt);
  const outcome = await waitForReply(reading, attempt).catch((thrown) => {
    const error = toCallError(attempt, thrown);
    if (isFree) call.close();
    else failCall(attempt, error, null);
    throw error;
  });
  if (typeof outcome === 'string') {
    const error = outcome === 'late' ? createLateFailure(call) : createClientDisconnectedError();
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
  bill.setReplyId(toText(toJsonObject(reply.result).id) || null);
  if (isFree) {
    bill.release(200);
    return reply.result;
  }
  const { costUsd } = bill.settle(200, reply.usage);
  return includesCost ? withCost(reply.result, toRecordedUsd(costUsd)) : reply.result;
}
