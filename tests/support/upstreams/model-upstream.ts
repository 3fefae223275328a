import type { UpstreamCall } from '#lib/ai-proxy/upstreams/calls/upstream-call.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from '#lib/ai-proxy/upstreams/upstream.ts';
import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { startTestModels, type TestModelsOptions } from '../models/test-models.ts';
import { createTestLog } from '../test-log.ts';

/** A circuit breaker that never opens, since most tests cause many failures. */
export const neverOpens = { failuresMax: Number.POSITIVE_INFINITY };

/** Starts a local model server with an upstream client; both stop with the scope. */
export async function startModelUpstream(
  server: Partial<TestModelsOptions> = {},
  client: Partial<UpstreamOptions> = {},
) {
  const models = await startTestModels({ key: 'sk-of-the-upstream-0123456789', ...server });
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
  /** What came, in order; repeated data once. */
  events: readonly ('headers' | 'data' | 'end' | 'error')[];
  contentType: string | null;
  text: string;
  error: HttpError | null;
}>;

/** Makes a call and reads its reply. */
export async function makeCall(upstream: Upstream, request: UpstreamRequest): Promise<CallOutcome> {
  try {
    return await followCall(upstream.call(request));
  } catch (error) {
    if (isHttpError(error)) return { events: ['error'], contentType: null, text: '', error };
    throw error;
  }
}

/** Reads the reply of a call, and closes it as healthy. */
export async function followCall(call: UpstreamCall): Promise<CallOutcome> {
  const events: CallOutcome['events'][number][] = [];
  const chunks: Buffer[] = [];
  let contentType: string | null = null;
  let error: HttpError | null = null;
  try {
    contentType = await call.opened;
    events.push('headers');
    for (let chunk = await call.next(); chunk !== null; chunk = await call.next()) {
      if (events.at(-1) !== 'data') events.push('data');
      chunks.push(chunk);
    }
    events.push('end');
  } catch (thrown) {
    if (!isHttpError(thrown)) throw thrown;
    events.push('error');
    error = thrown;
  }
  call.close('healthy');
  return { events, contentType, text: Buffer.concat(chunks).toString(), error };
}
