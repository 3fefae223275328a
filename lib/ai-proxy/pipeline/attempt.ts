import type { HeldBody } from '#lib/http/body-memory.ts';
import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { toJsonObject, toText } from '#lib/http/json-value.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Authenticated } from '#lib/keys/key-authenticator.ts';
import type { Bill } from '#lib/spend/bill.ts';
import { toRecordedUsd } from '#lib/spend/charge.ts';
import { estimateTextTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { type TokenUsage, toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import type { CompleteReply, Exchange, LocalResult } from '../protocols/model-request.ts';
import { toCompleteJson } from '../protocols/reply-forms.ts';
import { withCost } from '../stream/reply-cost.ts';
import type { UpstreamCall } from '../upstreams/calls/upstream-call.ts';
import {
  createClientDisconnectedError,
  createLateFailure,
  toFailure,
  toHealth,
  type UpstreamFailure,
} from '../upstreams/errors/upstream-failure.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { GenerationObserver } from './observe-generation.ts';
import type { Plan } from './plan-request.ts';

/** A request that has passed every check, and reserved what it needs. */
export type AcceptedRequest = Readonly<{
  request: Request;
  key: Pick<ApiKey, 'owner'>;
  recheck: Authenticated['recheck'];
  plan: Plan;
  client: Client;
  held: HeldBody;
  /** What is reserved for its first call. */
  bill: Bill;
  /** Reserves anew, where a call that has failed is charged. */
  reserve: () => Promise<Bill>;
  observer: GenerationObserver;
  /** Of the response. */
  headers: HeaderFields;
}>;

/**
 * The client of a request, which may leave at any time. A class: an object literal with a getter has a hidden class of its
 * own in V8, which keeps what it refers to until the next full collection.
 */
export class Client {
  /** Resolves when it leaves. */
  readonly left: Promise<void>;
  readonly #resolveLeft: () => void;
  #hasLeft: boolean;
  #hasStatus = false;

  constructor({ signal }: Pick<Request, 'signal'>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.#resolveLeft = resolve;
    this.#hasLeft = signal.aborted;
    if (this.#hasLeft) resolve();
    else signal.addEventListener('abort', () => this.leave());
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#resolveLeft();
  }

  /** It gets a 200 before a reply has begun. */
  startResponse(): void {
    this.#hasStatus = true;
  }

  /** The status that it gets where no reply begins. */
  toStatus({ status }: HttpError): number {
    return this.#hasStatus && !this.#hasLeft ? 200 : status;
  }
}

/** One call of one target for a request. */
export type Attempt = Readonly<{
  accepted: AcceptedRequest;
  call: UpstreamCall;
  exchange: Exchange;
  bill: Bill;
  /** The bound of all replies together that the upstream has got; null: none. */
  outputTokensMax: number | null;
  /** How long the client waits for the reply to begin, ms. */
  lateAfterMs: number;
  /** Another target may take over as long as nothing of a reply has come. */
  mayFailOver: boolean;
}>;

/**
 * Ends a call that has failed before its reply began. It costs what was reported; if its outcome is unknown, what has come
 * of a reply, or else what is reserved; else nothing, and the bill stays open for the next target.
 */
export function failCall(
  attempt: Attempt,
  error: UpstreamFailure,
  reported: TokenUsage | null,
): void {
  const { call, bill } = attempt;
  call.close(toHealth(error));
  const usage = reported ?? readErrorUsage(attempt);
  bill.setErrorCode(error.code);
  if (usage !== null) bill.settle(error.status, usage);
  else if (error.isBillable) bill.settle(error.status, null);
}

/** What an error response reports: it may have cost something all the same. */
function readErrorUsage({ call, exchange }: Attempt): TokenUsage | null {
  return call.errorText === '' ? null : exchange.toResult(call.errorText).usage;
}

/** A bug of ours after the upstream was called does not make the call free. */
export function toCallError({ call }: Attempt, thrown: unknown): UpstreamFailure {
  const failure = toFailure(thrown);
  return isHttpError(thrown) ? failure : failure.with({ isBillable: call.wasSent });
}

/** Waits for a reply to begin: without another target, only for its headers not longer than `lateAfterMs`. */
export async function waitForReply<T>(
  reply: Promise<T>,
  { accepted, call, lateAfterMs, mayFailOver }: Attempt,
): Promise<Readonly<{ reply: T }> | 'left' | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), lateAfterMs);
  // Nobody else could begin sooner.
  if (!mayFailOver) call.opened.then(() => clearTimeout(timer)).catch(() => {});
  try {
    return await Promise.race([
      reply.then((value) => ({ reply: value })),
      accepted.client.left.then(() => 'left' as const),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Larger complete replies are a failure of the upstream. */
const replyBytesMax = 32 * 1024 * 1024;

/** The JSON of a complete reply. */
export async function readReplyText({ call, exchange }: Attempt): Promise<string> {
  return toCompleteJson(await call.readText(exchange.resultBytesMax ?? replyBytesMax));
}

/** @throws HttpError for a failure that says nothing about its usage */
export function toReply({ exchange }: Attempt, text: string): CompleteReply {
  const reply = exchange.toResult(text);
  if ('error' in reply && reply.usage === null) throw reply.error;
  return reply;
}

/**
 * Reads a complete reply. A client that leaves, or has waited for too long, does not end the call: its cost must
 * become known. @throws HttpError
 */
export async function readJsonReply(
  attempt: Attempt,
  background: BackgroundCalls,
): Promise<LocalResult> {
  const { accepted, call, bill } = attempt;
  const { isFree = false, includesCost = false } = accepted.plan.generation;
  const reading = readReplyText(attempt).then((text) => {
    // What cannot be read has no more tokens than that.
    bill.setProgress(() => ({
      usage: toEstimatedUsage(0, estimateTextTokens(Buffer.byteLength(text))),
      reported: null,
    }));
    return toReply(attempt, text);
  });
  const outcome = await waitForReply(reading, attempt).catch((thrown) => {
    const error = toCallError(attempt, thrown);
    if (isFree) call.close();
    else failCall(attempt, error, null);
    throw error;
  });
  if (typeof outcome === 'string') {
    const error = outcome === 'late' ? createLateFailure(call) : createClientDisconnectedError();
    if (call.wasSent && !isFree) {
      const usage = reading.then(
        (reply) => reply.usage,
        (thrown) => readErrorUsage(attempt) ?? Promise.reject(thrown),
      );
      const { owner } = accepted.key;
      background.add({ call, bill, owner, status: error.status, usage });
    } else {
      call.close();
    }
    throw error;
  }
  const { reply } = outcome;
  if ('error' in reply) {
    failCall(attempt, toFailure(reply.error), reply.usage);
    throw reply.error;
  }
  call.close('healthy');
  bill.markFirstByte();
  bill.setReplyId(toText(toJsonObject(reply.result).id) || null);
  if (isFree) {
    bill.release(200);
    return reply;
  }
  const { costUsd } = bill.settle(200, reply.usage);
  return includesCost ? { result: withCost(reply.result, toRecordedUsd(costUsd)) } : reply;
}
