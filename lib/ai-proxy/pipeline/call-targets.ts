import { type HttpError, isHttpError, toHttpError, withOptions } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Bill } from '#lib/spend/bill.ts';
import type { ReplyBound } from '../protocols/chat/read-request.ts';
import { toMisconfiguredError } from '../upstreams/errors/failure.ts';
import type { Target } from '../upstreams/target.ts';
import { type Attempt, type Client, createClientDisconnectedError } from './attempt.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { Exchange, Generation, LocalResult } from './generation.ts';
import type { GenerationObserver } from './observe-generation.ts';
import type { Plan, PlannedTarget } from './plan-request.ts';
import type { ReplyBounds } from './reply-bounds.ts';

/** A request that has passed every check, and reserved what it needs. */
export type AcceptedRequest = Readonly<{
  request: Request;
  key: Pick<ApiKey, 'owner'>;
  plan: Plan;
  client: Client;
  bills: OpenBills;
  /** Reserves anew, where a call that has failed is charged. */
  reserve: () => Promise<Bill>;
  observer: GenerationObserver;
}>;

/** The bill of the call that is under way; null: nothing is reserved yet. */
export type OpenBills = { current: Bill | null };

export type TargetCallParts = Readonly<{
  bounds: ReplyBounds;
  background: BackgroundCalls;
  /** The longest wait for a reply to begin, over all targets, ms. */
  timeoutMs: number;
  log: Log;
}>;

/** Runs one attempt, up to the first part of a reply. */
export type RunAttempt<T> = (
  attempt: Attempt,
  target: Target,
  outputTokensMax: number | null,
) => Promise<T>;

/**
 * Calls one target after the other until one begins to reply. @throws HttpError the last failure
 */
export async function callTargets<T>(
  parts: TargetCallParts,
  accepted: AcceptedRequest,
  run: RunAttempt<T>,
): Promise<T | LocalResult> {
  const { timeoutMs, log } = parts;
  const { plan, client, bills, reserve, observer } = accepted;
  const { targets } = plan;
  const deadline = performance.now() + timeoutMs;
  let failure: HttpError | null = null;
  for (const [index, target] of targets.entries()) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) break;
    const mayFailOver = index < targets.length - 1;
    const lateAfterMs = Math.min(target.firstByteMs, leftMs);
    try {
      const bill = bills.current?.isOpen() ? bills.current : await reserve();
      if (failure !== null) logFailOver(log, targets[index - 1], failure);
      const turn = { target, bill, mayFailOver, lateAfterMs };
      const result = await callTarget(parts, accepted, turn, run);
      observer.endAttempt(null);
      return result;
    } catch (thrown) {
      failure = toHttpError(thrown);
      observer.endAttempt(failure);
      if (client.hasLeft) throw createClientDisconnectedError();
      if (!failure.isRetryable) throw failure;
    }
  }
  throw failure ?? toMisconfiguredError('AI_UPSTREAM_URL');
}

function logFailOver(log: Log, from: Target | undefined, { code, reason }: HttpError): void {
  log.warn({ upstream: from?.name, code, reason }, 'fails over');
}

type Turn = Readonly<{
  target: PlannedTarget;
  mayFailOver: boolean;
  lateAfterMs: number;
  bill: Bill;
}>;

/** Calls one target, and once more where it rejects a bound that the client has not chosen. */
async function callTarget<T>(
  parts: TargetCallParts,
  accepted: AcceptedRequest,
  turn: Turn,
  run: RunAttempt<T>,
): Promise<T | LocalResult> {
  const { bounds, background } = parts;
  const { generation } = accepted.plan;
  const { target, bill } = turn;
  const { outputTokens, outputTokensLeft } = bill.reservation;
  const left = outputTokens + (generation.isStream ? outputTokensLeft : 0);
  const bound = bounds.boundFor(target, generation, left);
  try {
    return await callOnce(accepted, { ...turn, bound, background }, run);
  } catch (error) {
    if (!isHttpError(error) || !bill.isOpen()) throw error;
    const next = bounds.replaceRejected(target, generation, { bound, error });
    if (next === null) throw error;
    return await callOnce(accepted, { ...turn, bound: next, background }, run);
  }
}

type BoundTurn = Turn & Readonly<{ bound: ReplyBound; background: BackgroundCalls }>;

async function callOnce<T>(
  { request, key, plan, client, observer }: AcceptedRequest,
  { target, bill, bound, mayFailOver, lateAfterMs, background }: BoundTurn,
  run: RunAttempt<T>,
): Promise<T | LocalResult> {
  const { generation, isOwnChoice } = plan;
  const exchange = createExchange(generation, target, bound);
  if ('result' in exchange) return exchange;
  const { prices, surcharge, maxCostUsd } = target;
  bill.start({ upstream: target.name, tariff: { prices, surcharge, maxCostUsd } });
  observer.startAttempt(target.name);
  const call = target.upstream.call({
    method: 'POST',
    path: exchange.path,
    body: exchange.body,
    isStream: generation.isStream,
    headers: request.headers,
    group: {
      circuit: target.circuit,
      owner: key.owner,
      isOwnChoice: isOwnChoice || !target.isListed,
    },
  });
  const { outputTokensMax } = bound;
  return run(
    { call, exchange, bill, client, lateAfterMs, mayFailOver, background },
    target,
    outputTokensMax === null ? null : outputTokensMax * generation.choices,
  );
}

/** What one target cannot serve, another may. */
function createExchange(
  generation: Generation,
  target: PlannedTarget,
  bound: ReplyBound,
): Exchange | LocalResult {
  try {
    return generation.toExchange(target, bound);
  } catch (thrown) {
    throw withOptions(toHttpError(thrown), { isRetryable: isHttpError(thrown) });
  }
}
