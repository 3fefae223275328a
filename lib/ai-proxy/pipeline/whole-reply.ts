import { onLeave } from '#lib/http/node-request.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { toEstimatedUsage } from '../tokens/usage.ts';
import type { Asked } from './asked.ts';
import { callerLeftStatus, createCallerLeft } from './caller-left.ts';

/** Answers with the whole reply at once. */
export async function replyWhole(asked: Asked): Promise<Response> {
  const { request, generation, upstream, ledger, headers } = asked;
  const left = new AbortController();
  onLeave(request, () => {
    // What the model has been asked is paid for, whoever waits for its answer.
    ledger.close(callerLeftStatus, toEstimatedUsage(generation.promptTokensEstimate, 0));
    left.abort(createCallerLeft());
  });
  const text = await upstream.fetchText({
    method: 'POST',
    path: generation.path,
    body: generation.body,
    headers: request.headers,
    circuit: generation.models[0] ?? '',
    signal: left.signal,
  });
  const { result, usage } = generation.toResult(text);
  ledger.begin();
  ledger.close(200, usage);
  const body = Buffer.from(JSON.stringify(result));
  return prepareResponse({
    status: 200,
    headers: [
      ...['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
      ...['Content-Length', String(body.length), ...headers],
    ],
    body,
  });
}
