import { HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import type { Bill } from '#lib/spend/bill.ts';
import type { ReplyBound } from '../protocols/chat/chat-request.ts';
import type { Exchange, LocalResult, ModelRequest } from '../protocols/model-request.ts';
import type { ReasoningMark } from '../protocols/reasoning-mark.ts';
import { hasSameBetas } from '../quirks/messages-api.ts';
import type { TargetQuirks } from '../quirks/quirk.ts';
import { changeHeaders } from '../quirks/quirks.ts';
import { withUnsaidQuirk } from '../quirks/read-rejected.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import {
  createClientDisconnectedError,
  toFailure,
  toMisconfiguredError,
  type UpstreamFailure,
} from '../upstreams/errors/upstream-failure.ts';
import type { AcceptedRequest, Attempt } from './attempt.ts';
import { readJsonReply } from './attempt.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { LearnedFacts } from './learned-facts.ts';
import { type PlannedTarget, toBilledTarget } from './plan-request.ts';
import { replaceRejectedBound, toReplyBound, toUnboundedTokens } from './reply-bounds.ts';
import { StreamedReply } from './streamed-reply.ts';

export type ReplyParts = Readonly<{
  facts: LearnedFacts;
  background: BackgroundCalls;
  /** The longest wait for a reply to begin, over all targets, ms. */
  timeoutMs: number;
  log: Log;
}>;

/** A complete reply, a stream that has begun, or why every target has failed. */
export type OpenedReply = LocalResult | StreamedReply | FailedReply;

type FailedReply = Readonly<{
  error: HttpError;
  /** What was sent last; null: nothing was. */
  exchange: Exchange | null;
}>;

/**
 * Calls one target after the other until one begins to reply. What is reserved is settled or released, but for a stream,
 * which settles itself.
 */
export function openReply(parts: ReplyParts, accepted: AcceptedRequest): Promise<OpenedReply> {
  return new ReplyOpener(parts, accepted).open();
}

type Turn = Readonly<{ target: PlannedTarget }> & Pick<Attempt, 'mayFailOver' | 'lateAfterMs'>;

/** What is sent in another way, or left out, since the target does not take it. */
type Adjustment = Readonly<{
  quirks: TargetQuirks;
  /** Of the client, as far as the target takes them. */
  headers: ClientHeaders;
  bound: ReplyBound;
  isBoundReplaced: boolean;
  reasoning: ReasoningMark;
}>;

class ReplyOpener {
  readonly #parts: ReplyParts;
  readonly #accepted: AcceptedRequest;
  readonly #generation: ModelRequest;
  #bill: Bill;
  #exchange: Exchange | null = null;

  constructor(parts: ReplyParts, accepted: AcceptedRequest) {
    this.#parts = parts;
    this.#accepted = accepted;
    this.#generation = accepted.plan.generation;
    this.#bill = accepted.bill;
  }

  async open(): Promise<OpenedReply> {
    const { plan, client, reserve, observer } = this.#accepted;
    const { targets } = plan;
    const deadline = performance.now() + this.#parts.timeoutMs;
    let failure = client.hasLeft ? createClientDisconnectedError() : null;
    for (const [index, target] of targets.entries()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || client.hasLeft) break;
      const mayFailOver = index < targets.length - 1;
      const lateAfterMs = Math.min(target.firstByteMs, leftMs);
      try {
        if (!this.#bill.isOpen) this.#bill = await reserve();
        if (failure !== null) logFailOver(this.#parts.log, targets[index - 1], failure);
        const reply = await this.#callTarget({ target, mayFailOver, lateAfterMs });
        observer.endAttempt(null);
        return reply;
      } catch (thrown) {
        failure = toFailure(thrown);
        observer.endAttempt(failure);
        if (client.hasLeft) failure = createClientDisconnectedError();
        if (!failure.isRetryable) break;
      }
    }
    return this.#fail(failure ?? toMisconfiguredError('AI_UPSTREAM_URL'));
  }

  #fail(error: UpstreamFailure): FailedReply {
    const { plan, client, observer } = this.#accepted;
    this.#bill.setErrorCode(error.code);
    if (this.#bill.isOpen) {
      const status = client.toStatus(error);
      if (status === 200) observer.markBroken();
      // Clients can make up any number of models that no upstream knows: they have one name together.
      this.#bill.release(status, error.code === 'model_not_found' ? 'unknown' : plan.model);
    }
    return { error, exchange: this.#exchange };
  }

  /**
   * Calls one target; once more where it rejects a bound that the client has not chosen, or its name, and for each time
   * that it names fields which the proxy has written, and which it does not take.
   */
  async #callTarget(turn: Turn): Promise<OpenedReply> {
    const { target } = turn;
    const quirks = target.known.quirks();
    let adjustment: Adjustment = {
      quirks,
      headers: changeHeaders(this.#accepted.request.headers, quirks),
      bound: toReplyBound(target, this.#generation, { quirks, left: this.#countLeft(target) }),
      isBoundReplaced: false,
      reasoning: target.reasoning,
    };
    let exchange = this.#createExchange(target, adjustment);
    while (!('result' in exchange)) {
      try {
        return await this.#callOnce(turn, exchange, adjustment);
      } catch (thrown) {
        if (!isHttpError(thrown)) throw thrown;
        const failure = toFailure(thrown);
        const read = failure.readWithSent?.(exchange.body) ?? failure;
        const error = withUnsaidQuirk(read, exchange, target);
        const next = this.#bill.isOpen
          ? await this.#adjust(target, { adjustment, exchange }, error)
          : null;
        if (next === null) throw withOwnParam(error, exchange);
        ({ adjustment, exchange } = next);
      }
    }
    this.#bill.release(200);
    return exchange;
  }

  /** How many tokens a reply of the target may have by what is reserved. */
  #countLeft({ outputFactor }: PlannedTarget): number {
    const { outputTokens, outputTokensLeft } = this.#bill.reservation;
    const reserved = outputTokens + (this.#generation.isStream ? outputTokensLeft : 0);
    return Math.floor(reserved / outputFactor);
  }

  /** What one target cannot serve, another may. */
  #createExchange(target: PlannedTarget, adjustment: Adjustment): Exchange | LocalResult {
    try {
      return this.#generation.toExchange({ ...target, ...adjustment }, adjustment.bound);
    } catch (thrown) {
      throw toFailure(thrown).with({ isRetryable: isHttpError(thrown) });
    }
  }

  /** Learns from an error what the target does not take. Null: nothing else can be sent. @throws HttpError 402 */
  async #adjust(
    target: PlannedTarget,
    sent: Readonly<{ adjustment: Adjustment; exchange: Exchange }>,
    error: UpstreamFailure,
  ): Promise<Readonly<{ adjustment: Adjustment; exchange: Exchange | LocalResult }> | null> {
    const { key, request } = this.#accepted;
    const { quirks, bound, isBoundReplaced, reasoning } = sent.adjustment;
    const { headers } = request;
    const tried = {
      owner: key.owner,
      isPlain: target.isPlain,
      quirks,
      sent: sent.exchange.sent,
      headers,
    };
    const learned = this.#parts.facts.learn(target, tried, error);
    const replaced = isBoundReplaced ? null : replaceRejectedBound(bound, this.#generation, error);
    const { isLeftOut = false } = reasoning;
    const isReadable = isLeftOut || !error.rejectsReasoning;
    if (learned === null && replaced === null && isReadable) return null;
    if (replaced?.outputTokensMax === null) await this.#reserveUnbounded(target);
    const adjustment = {
      quirks: learned ?? quirks,
      headers: changeHeaders(headers, learned ?? quirks),
      bound: replaced ?? bound,
      isBoundReplaced: isBoundReplaced || replaced !== null,
      reasoning: { ...reasoning, isLeftOut: isLeftOut || !isReadable },
    };
    try {
      const exchange = this.#createExchange(target, adjustment);
      const isSame = 'body' in exchange && exchange.body === sent.exchange.body;
      const hasSameHeaders = hasSameBetas(adjustment.headers, sent.adjustment.headers);
      return isSame && hasSameHeaders ? null : { adjustment, exchange };
    } catch (thrown) {
      // What cannot be sent otherwise was rejected for the reason that is known already.
      if (isHttpError(thrown)) return null;
      throw thrown;
    }
  }

  /** Without a bound only what the budget has left for the longest reply is sent. @throws HttpError 402 */
  async #reserveUnbounded(target: PlannedTarget): Promise<void> {
    const needed = toUnboundedTokens(this.#generation, target);
    const { outputTokens } = this.#bill.reservation;
    const reserved =
      needed > outputTokens ? await this.#bill.extend(needed - outputTokens) : outputTokens;
    if (reserved >= needed) return;
    throw new HttpError(402, {
      code: 'insufficient_quota',
      message: `The service behind this model takes no bound of a reply, and the budget has too little left for its longest one, of ${needed} tokens. So the request was not sent. Use another model, wait until the budget begins anew, or ask for a larger one.`,
      reason: 'no_bound',
    });
  }

  #callOnce(
    { target, mayFailOver, lateAfterMs }: Turn,
    exchange: Exchange,
    { headers, bound }: Adjustment,
  ): Promise<OpenedReply> {
    const accepted = this.#accepted;
    const { key, plan, observer } = accepted;
    const generation = this.#generation;
    const bill = this.#bill;
    const outputTokensMax =
      bound.outputTokensMax === null ? null : bound.outputTokensMax * generation.choices;
    bill.start(toBilledTarget(target, outputTokensMax ?? toUnboundedTokens(generation, target)));
    observer.startAttempt(target.name);
    const call = target.upstream.call({
      method: 'POST',
      path: exchange.path,
      body: exchange.body,
      isStream: generation.isStream,
      headers,
      group: {
        // Of names that clients make up there is no end.
        circuit: plan.isOwnChoice || !target.isListed ? null : target.circuit,
        owner: key.owner,
      },
    });
    this.#exchange = exchange;
    const attempt = { accepted, call, exchange, bill, outputTokensMax, mayFailOver, lateAfterMs };
    return generation.isStream
      ? new StreamedReply(attempt, this.#parts.log).open()
      : readJsonReply(attempt, this.#parts.background);
  }
}

function logFailOver(
  log: Log,
  from: PlannedTarget | undefined,
  { code, reason }: UpstreamFailure,
): void {
  log.warn({ upstream: from?.name, code, reason }, 'fails over');
}

/** A client knows only the fields of its own request. */
function withOwnParam(error: UpstreamFailure, { toOwnParam }: Exchange): UpstreamFailure {
  const { param, message } = error;
  if (param === null || toOwnParam === undefined) return error;
  const own = toOwnParam(param);
  const named = own === null ? message : message.replaceAll(`\`${param}\``, `\`${own}\``);
  return error.with({ param: own, message: named });
}
