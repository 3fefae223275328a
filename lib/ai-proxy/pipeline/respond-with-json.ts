import { onDisconnect } from '#lib/http/node-request.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { toEstimatedUsage } from '../metering/token-usage.ts';
import { clientDisconnectedStatus, createClientDisconnectedError } from './client-disconnected.ts';
import type { AcceptedRequest } from './generation.ts';

/** Responds with the whole reply as JSON. */
export async function respondWithJson(accepted: AcceptedRequest): Promise<Response> {
  const { request, generation, upstream, accounting, headers } = accepted;
  const reading = upstream.readText({
    method: 'POST',
    path: generation.path,
    body: generation.body,
    headers: request.headers,
    circuit: generation.models[0] ?? '',
  });
  onDisconnect(request, () => {
    // The upstream charges for the prompt all the same.
    accounting.settle(
      clientDisconnectedStatus,
      toEstimatedUsage(generation.promptTokensEstimate, 0),
    );
    reading.abort(createClientDisconnectedError());
  });
  const { result, usage } = generation.toResult(await reading.text);
  accounting.markFirstByte();
  accounting.settle(200, usage);
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
