import { HttpError, isHttpError, toHttpError, withOptions } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Authenticated } from '#lib/keys/key-authenticator.ts';
import type { Bill } from '#lib/spend/bill.ts';
import type { BilledTarget } from '#lib/spend/billed-call.ts';
import type { ReplyBound } from '../protocols/chat/read-request.ts';
import { hasSameBetas } from '../quirks/beta-header.ts';
import type { FieldLimits } from '../quirks/quirk.ts';
import { changeHeaders } from '../quirks/quirks.ts';
import { withUnsaidQuirk } from '../quirks/read-rejected.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import {
  createClientDisconnectedError,
  toMisconfiguredError,
} from '../upstreams/errors/failure.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { Attempt, Client } from './attempt.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { Exchange, Generation, LocalResult } from './generation.ts';
import type { LearnedFacts } from './learned-facts.ts';
import type { GenerationObserver } from './observe-generation.ts';
import type { Plan, PlannedTarget } from './plan-request.ts';
import { replaceRejectedBound, toReplyBound, toUnboundedTokens } from './reply-bounds.ts';

/** A request that has passed every check, and reserved what it needs. */
export type AcceptedRequest = Readonly<{
  request: Request;
  key: Pick<ApiKey, 'owner'>;
  recheck: Authenticated['recheck'];
  plan: Plan;
  client: Client;
  /** What is reserved for its first call. */
  bill: Bill;
  /** Reserves anew, where a call that has failed is charged. */
  reserve: () => Promise<Bill>;
  observer: GenerationObserver;
  /** Of the response. */
  headers: HeaderFields;
}>;

export type TargetCallParts = Readonly<{
  facts: LearnedFacts;
  background: BackgroundCalls;
  /** The longest wait for a reply to begin, over all targets, ms. */
  timeoutMs: number;
  log: Log;
}>;

/** Runs one attempt, up to the first part of a reply. */
type RunAttempt<T> = (
  attempt: Attempt,
  target: Target,
  outputTokensMax: number | null,
) => Promise<T>;

type Attempts<T> = Readonly<{
  run: RunAttempt<T>;
  /** All have failed. Returns the status that the client gets; by default that of the failure. */
  onFailure?: (failure: HttpError) => number;
}>;

/**
 * Calls one target after the other until one begins to reply. What is reserved is settled or released if it throws.
 * @throws HttpError the last failure
 */
export async function callTargets<T>(
  parts: TargetCallParts,
  accepted: AcceptedRequest,
  { run, onFailure = ({ status }) => status }: Attempts<T>,
): Promise<T | LocalResult> {
  const { timeoutMs, log } = parts;
  const { plan, client, reserve, observer } = accepted;
  const { targets } = plan;
  const deadline = performance.now() + timeoutMs;
  let { bill } = accepted;
  let failure = client.hasLeft ? createClientDisconnectedError() : null;
  for (const [index, target] of targets.entries()) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0 || client.hasLeft) break;
    const mayFailOver = index < targets.length - 1;
    const lateAfterMs = Math.min(target.firstByteMs, leftMs);
    try {
      if (!bill.isOpen) bill = await reserve();
      if (failure !== null) logFailOver(log, targets[index - 1], failure);
      const turn = { target, bill, mayFailOver, lateAfterMs };
      const result = await callTarget(parts, accepted, turn, run);
      observer.endAttempt(null);
      return result;
    } catch (thrown) {
      failure = toHttpError(thrown);
      observer.endAttempt(failure);
      if (client.hasLeft) failure = createClientDisconnectedError();
      if (!failure.isRetryable) break;
    }
  }
  failure ??= toMisconfiguredError('AI_UPSTREAM_URL');
  bill.setErrorCode(failure.code);
  if (bill.isOpen) bill.release(onFailure(failure), toRecordedModel(plan.model, failure));
  throw failure;
}

/** Clients can make up any number of models that no upstream knows: they have one name together. */
function toRecordedModel(model: string, { code }: HttpError): string {
  return code === 'model_not_found' ? 'unknown' : model;
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

/**
 * Calls one target; once more where it rejects a bound that the client has not chosen, or its name, and for each time
 * that it names fields which the proxy has written, and which it does not take.
 */
async function callTarget<T>(
  parts: TargetCallParts,
  accepted: AcceptedRequest,
  turn: Turn,
  run: RunAttempt<T>,
): Promise<T | LocalResult> {
  const { facts, background } = parts;
  const { generation } = accepted.plan;
  const { target, bill } = turn;
  const { outputTokens, outputTokensLeft } = bill.reservation;
  const reserved = outputTokens + (generation.isStream ? outputTokensLeft : 0);
  const left = Math.floor(reserved / target.outputFactor);
  const { owner } = accepted.key;
  let limits = target.known.limits();
  let bound = toReplyBound(target, generation, { limits, left });
  let isBoundReplaced = false;
  let reasoning = target.reasoning;
  const create = () => createExchange(generation, { ...target, limits, reasoning }, bound);
  let exchange = create();
  let headers = changeHeaders(accepted.request.headers, limits);
  while (true) {
    if ('result' in exchange) {
      bill.release(200);
      return exchange;
    }
    try {
      return await callOnce(accepted, { ...turn, exchange, headers, bound, background }, run);
    } catch (thrown) {
      if (!isHttpError(thrown)) throw thrown;
      const read = thrown.readWithSent?.(exchange.body) ?? thrown;
      const error = withUnsaidQuirk(read, exchange, target);
      if (!bill.isOpen) throw withOwnParam(error, exchange);
      const { isPlain } = target;
      const { sent } = exchange;
      const ownHeaders = accepted.request.headers;
      const learned = facts.learn(
        target,
        { owner, isPlain, limits, sent, headers: ownHeaders },
        error,
      );
      const next: ReplyBound | null = isBoundReplaced
        ? null
        : replaceRejectedBound(bound, generation, error);
      const isReadable = !error.rejectsReasoning || reasoning.isLeftOut === true;
      if (learned === null && next === null && isReadable) throw withOwnParam(error, exchange);
      if (next?.outputTokensMax === null) await reserveUnbounded(turn, generation);
      reasoning = { ...reasoning, isLeftOut: !isReadable || reasoning.isLeftOut === true };
      limits = learned ?? limits;
      bound = next ?? bound;
      isBoundReplaced ||= next !== null;
      const changed = createOrNull(create);
      const tried = headers;
      headers = changeHeaders(ownHeaders, limits);
      const isSame = changed !== null && 'body' in changed && changed.body === exchange.body;
      if (changed === null || (isSame && hasSameBetas(headers, tried))) {
        throw withOwnParam(error, exchange);
      }
      exchange = changed;
    }
  }
}

/** Without a bound only what the budget has left for the longest reply is sent. @throws HttpError 402 */
async function reserveUnbounded({ bill, target }: Turn, generation: Generation): Promise<void> {
  const needed = toUnboundedTokens(generation, target);
  const { outputTokens } = bill.reservation;
  const reserved = needed > outputTokens ? await bill.extend(needed - outputTokens) : outputTokens;
  if (reserved >= needed) return;
  throw new HttpError(402, {
    code: 'insufficient_quota',
    message: `The service behind this model takes no bound of a reply, and the budget has too little left for its longest one, of ${needed} tokens. So the request was not sent. Use another model, wait until the budget begins anew, or ask for a larger one.`,
    reason: 'no_bound',
  });
}

/** What cannot be sent in another form was rejected for the reason that is known already. */
function createOrNull(create: () => Exchange | LocalResult): Exchange | LocalResult | null {
  try {
    return create();
  } catch (thrown) {
    if (isHttpError(thrown)) return null;
    throw thrown;
  }
}

/** A client knows only the fields of its own request. */
function withOwnParam(error: HttpError, { toOwnParam }: Exchange): HttpError {
  const { param, message } = error;
  if (param === null || toOwnParam === undefined) return error;
  const own = toOwnParam(param);
  const named = own === null ? message : message.replaceAll(`\`${param}\``, `\`${own}\``);
  return withOptions(error, { param: own, message: named });
}

type BoundTurn = Turn &
  Readonly<{
    exchange: Exchange;
    headers: ClientHeaders;
    bound: ReplyBound;
    background: BackgroundCalls;
  }>;

async function callOnce<T>(
  { key, plan, client, observer }: AcceptedRequest,
  { target, bill, exchange, headers, bound, mayFailOver, lateAfterMs, background }: BoundTurn,
  run: RunAttempt<T>,
): Promise<T> {
  const { generation, isOwnChoice } = plan;
  const { outputTokensMax } = bound;
  const outputTokens =
    outputTokensMax === null
      ? toUnboundedTokens(generation, target)
      : outputTokensMax * generation.choices;
  bill.start(toBilledTarget(target, outputTokens));
  observer.startAttempt(target.name);
  const call = target.upstream.call({
    method: 'POST',
    path: exchange.path,
    body: exchange.body,
    isStream: generation.isStream,
    headers,
    group: {
      // Of names that clients make up there is no end.
      circuit: isOwnChoice || !target.isListed ? null : target.circuit,
      owner: key.owner,
    },
  });
  return run(
    { call, exchange, bill, client, lateAfterMs, mayFailOver, background },
    target,
    outputTokensMax === null ? null : outputTokensMax * generation.choices,
  );
}

/** @param outputTokens the bound that it gets; null: it was not called */
export function toBilledTarget(target: PlannedTarget, outputTokens: number | null): BilledTarget {
  const { name, prices, surcharge, maxCostUsd, trustsLowCost, shownUsd } = target;
  const { callTokensMax: contextTokens, outputFactor } = target;
  return {
    upstream: name,
    tariff: { prices, surcharge, maxCostUsd, trustsLowCost, shownUsd },
    bounds: { contextTokens, outputTokens, outputFactor },
  };
}

/** What one target cannot serve, another may. */
function createExchange(
  generation: Generation,
  target: PlannedTarget & Readonly<{ limits: FieldLimits }>,
  bound: ReplyBound,
): Exchange | LocalResult {
  try {
    return generation.toExchange(target, bound);
  } catch (thrown) {
    throw withOptions(toHttpError(thrown), { isRetryable: isHttpError(thrown) });
  }
}
