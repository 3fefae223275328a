import { onDisconnect } from '#lib/http/node-request.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { toEstimatedUsage } from '../metering/token-usage.ts';
import type { Asked } from './asked.ts';
import { callerLeftStatus, createCallerLeft } from './caller-left.ts';

/** Answers with the whole reply at once. */
export async function replyWhole(asked: Asked): Promise<Response> {
  const { request, generation, upstream, ledger, headers } = asked;
  const reading = upstream.readText({
    method: 'POST',
    path: generation.path,
    body: generation.body,
    headers: request.headers,
    circuit: generation.models[0] ?? '',
  });
  onDisconnect(request, () => {
    // What the model has been asked is paid for, whoever waits for its answer.
    ledger.close(callerLeftStatus, toEstimatedUsage(generation.promptTokensEstimate, 0));
    reading.abort(createCallerLeft());
  });
  const { result, usage } = generation.toResult(await reading.text);
  ledger.begin();
  ledger.close(200, usage);
  const body = JSON.stringify(result);
  return prepareResponse({
    status: 200,
    headers: [
      ...['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
      ...['Content-Length', String(Buffer.byteLength(body)), ...headers],
    ],
    body,
  });
}
