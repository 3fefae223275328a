import type { HttpError } from '#lib/http/errors/errors.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import { toMisconfiguredError } from '../upstreams/errors/failure.ts';
import type { Target } from '../upstreams/target.ts';
import { createClientDisconnectedError } from './client-disconnected.ts';
import { createClientStream } from './client-stream.ts';
import type { AcceptedRequest, Attempt, Exchange, LocalResult } from './generation.ts';
import { respondLocally, respondWithJson } from './respond-with-json.ts';
import { endWithFailure, respondWithStream } from './respond-with-stream.ts';

export type FailOverOptions = Readonly<{
  targets: readonly Target[];
  /** The longest wait for a reply to begin, over all targets. */
  timeoutMs: number;
  /** Whether clients see which upstream has served them. */
  showsUpstreams: boolean;
}>;

/** Responds from the first target that begins to reply. @throws HttpError the last failure */
export async function respondFromTargets(
  accepted: AcceptedRequest,
  options: FailOverOptions,
): Promise<Response> {
  if (!accepted.generation.isStream) return tryTargets(accepted, options, respondWithJson);
  const { request, heartbeatMs, headers } = accepted;
  const client = createClientStream(request, { heartbeatMs, headers });
  const replying = tryTargets(accepted, options, (named, attempt) =>
    respondWithStream(named, attempt, client),
  ).catch((thrown: unknown) => {
    if (client.isOpen() && !client.hasLeft()) endWithFailure(accepted, toHttpError(thrown), client);
    else client.end();
    throw thrown;
  });
  // A heartbeat may open the stream while targets are still being tried.
  return Promise.race([client.opened, replying]);
}

async function tryTargets(
  accepted: AcceptedRequest,
  { targets, timeoutMs, showsUpstreams }: FailOverOptions,
  respond: (accepted: AcceptedRequest, attempt: Attempt) => Promise<Response>,
): Promise<Response> {
  const { request, accounting, log } = accepted;
  const deadline = performance.now() + timeoutMs;
  let failure: HttpError | null = null;
  for (const [index, target] of targets.entries()) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) break;
    const exchange = toExchange(accepted, target);
    if ('error' in exchange) {
      failure = exchange.error;
      continue;
    }
    if ('result' in exchange) return respondLocally(accepted, exchange);
    accounting.setUpstream(target.name);
    const attempt = { target, exchange, ...toBounds(targets, index, leftMs) };
    try {
      const response = await respond(
        showsUpstreams ? withName(accepted, target) : accepted,
        attempt,
      );
      accounting.observer.endAttempt(null);
      return response;
    } catch (thrown) {
      failure = toHttpError(thrown);
      accounting.observer.endAttempt(failure);
      if (request.signal.aborted) throw createClientDisconnectedError();
      if (!isWorthAnotherTarget(failure)) throw failure;
      const { code, reason } = failure;
      if (attempt.mayFailOver) log.warn({ upstream: target.name, code, reason }, 'fails over');
    }
  }
  throw failure ?? toMisconfiguredError('AI_UPSTREAM_URL');
}

/** A target that cannot serve the request is skipped. */
function toExchange(
  { generation, outputTokensMax }: AcceptedRequest,
  target: Target,
): Exchange | LocalResult | Readonly<{ error: HttpError }> {
  try {
    return generation.toExchange(target, outputTokensMax);
  } catch (thrown) {
    return { error: toHttpError(thrown) };
  }
}

/** A single target has the time-outs of its upstream only. */
function toBounds(
  targets: readonly Target[],
  index: number,
  leftMs: number,
): Pick<Attempt, 'mayFailOver' | 'replyWithinMs'> {
  const mayFailOver = index < targets.length - 1;
  if (targets.length === 1) return { mayFailOver, replyWithinMs: null };
  const firstByteMs = targets[index]?.firstByteMs ?? leftMs;
  return { mayFailOver, replyWithinMs: mayFailOver ? Math.min(firstByteMs, leftMs) : leftMs };
}

function withName(accepted: AcceptedRequest, { name }: Target): AcceptedRequest {
  return { ...accepted, headers: [...accepted.headers, ['x-marquee-upstream', name]] };
}

/** The upstream's failures, but neither the client's mistakes nor ours. */
function isWorthAnotherTarget({ status, code }: HttpError): boolean {
  if (status === 429 || code === 'model_not_found') return true;
  return status >= 500 && code !== 'internal_error' && code !== 'server_misconfigured';
}
