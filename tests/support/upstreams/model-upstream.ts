import type { OpenCall, UpstreamRequest } from '#lib/ai-proxy/upstreams/calls/open-call.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
} from '#lib/ai-proxy/upstreams/upstream.ts';
import { type ModelServerOptions, startModelServer } from '#lib/demo/models/model-server.ts';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { createTestLog } from '../test-log.ts';

/** A circuit breaker that never opens, since most tests cause many failures. */
export const neverOpens = { failuresMax: Number.POSITIVE_INFINITY };

/** Starts a local model server with an upstream client; both stop with the scope. */
export async function startModelUpstream(
  server: Partial<ModelServerOptions> = {},
  client: Partial<UpstreamOptions> = {},
) {
  const models = await startModelServer({ key: 'sk-of-the-upstream-0123456789', ...server });
  const log = createTestLog();
  const upstream = createUpstream({
    url: models.url,
    key: models.key,
    timeouts: { firstByteMs: 5000 },
    breaker: neverOpens,
    log,
    ...client,
  });
  return {
    models,
    upstream,
    log,
    async [Symbol.asyncDispose]() {
      await upstream.close();
      await models.close();
    },
  };
}

/** A chat request to a model. */
export function chatWith(model: string, isStream: boolean, content = 'Tell me of Lisbon') {
  return {
    method: 'POST',
    path: '/chat/completions',
    isStream,
    body: JSON.stringify({ model, stream: isStream, messages: [{ role: 'user', content }] }),
  } as const satisfies UpstreamRequest;
}

export type CallOutcome = Readonly<{
  /** The callbacks in order; repeated data once. */
  callbacks: readonly string[];
  status: number | null;
  contentType: string | null;
  text: string;
  error: HttpError | null;
}>;

/** Makes a call and waits until it has ended or failed, at most `timeoutMs`. */
export function makeCall(
  upstream: Upstream,
  request: UpstreamRequest,
  { onStart, timeoutMs = 20_000 }: { onStart?: (call: OpenCall) => void; timeoutMs?: number } = {},
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    const callbacks: string[] = [];
    const chunks: Buffer[] = [];
    let status: number | null = null;
    let contentType: string | null = null;
    const timer = setTimeout(() => end(null), timeoutMs);
    const end = (error: HttpError | null) => {
      clearTimeout(timer);
      resolve({ callbacks, status, contentType, text: Buffer.concat(chunks).toString(), error });
    };
    const call = upstream.call(request, {
      onHeaders(received, headers) {
        callbacks.push('headers');
        status = received;
        contentType = headers.contentType;
      },
      onData(chunk) {
        if (callbacks.at(-1) !== 'data') callbacks.push('data');
        chunks.push(chunk);
        return true;
      },
      onEnd() {
        callbacks.push('end');
        end(null);
      },
      onError(error) {
        callbacks.push('error');
        end(error);
      },
    });
    onStart?.(call);
  });
}
