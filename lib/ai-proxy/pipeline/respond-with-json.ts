import { toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import { chargeForFailure } from './charge-for-failure.ts';
import { clientDisconnectedStatus, createClientDisconnectedError } from './client-disconnected.ts';
import type { AcceptedRequest, Attempt, LocalResult } from './generation.ts';

/** Responds with the whole reply as JSON. */
export async function respondWithJson(
  accepted: AcceptedRequest,
  { target, exchange, replyWithinMs }: Attempt,
): Promise<Response> {
  const { request, generation, accounting, headers, keyId } = accepted;
  const reading = target.upstream.read(
    {
      method: 'POST',
      path: exchange.path,
      body: exchange.body,
      headers: request.headers,
      group: { circuit: target.model, keyId },
      ...(replyWithinMs !== null && { replyWithinMs }),
    },
    exchange.toResult,
    exchange.resultBytesMax,
  );
  const { promptTokensEstimate } = generation;
  function abandon(): void {
    // The upstream charges for the prompt anyway.
    const usage = reading.wasSent() ? toEstimatedUsage(promptTokensEstimate, 0) : null;
    accounting.settle(clientDisconnectedStatus, usage);
    reading.abort(createClientDisconnectedError());
  }
  request.signal.addEventListener('abort', abandon);
  const { result, usage } = await reading.result.catch((error) => {
    request.signal.removeEventListener('abort', abandon);
    const failed = { error: toHttpError(error), wasSent: reading.wasSent(), promptTokensEstimate };
    accounting.addCharge(chargeForFailure(failed));
    throw error;
  });
  accounting.markFirstByte();
  accounting.settle(200, usage);
  return createJsonResponse(result, headers);
}

/** Responds without an upstream. */
export function respondLocally(
  { accounting, headers }: AcceptedRequest,
  { result }: LocalResult,
): Response {
  accounting.settle(200, null);
  return createJsonResponse(result, headers);
}

function createJsonResponse(result: object, headers: HeaderFields): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...headers,
    ],
    body: JSON.stringify(result),
  });
}
