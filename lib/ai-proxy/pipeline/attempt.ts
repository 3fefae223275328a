import { type HttpError, isHttpError, toHttpError, withOptions } from '#lib/http/errors/errors.ts';
import type { Bill } from '#lib/spend/bill.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toCompleteJson } from '../protocols/collect-stream.ts';
import { readText } from '../upstreams/calls/read-text.ts';
import type { UpstreamCall } from '../upstreams/calls/upstream-call.ts';
import { toHealth } from '../upstreams/errors/failure.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { CompleteReply, Exchange } from './generation.ts';

/** One call of one target for a request. */
export type Attempt = Readonly<{
  call: UpstreamCall;
  exchange: Exchange;
  bill: Bill;
  client: Client;
  /** How long the client waits for the reply to begin, ms. */
  lateAfterMs: number;
  /** Another target may take over as long as nothing of a reply has come. */
  mayFailOver: boolean;
  background: BackgroundCalls;
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
}

/**
 * Ends a call that has failed before its reply began. It costs what was reported; if its outcome is unknown, what is
 * reserved; else nothing, and the bill stays open for the next target.
 */
export function failCall(
  { call, exchange, bill }: Attempt,
  error: HttpError,
  reported: TokenUsage | null,
): void {
  call.close(toHealth(error));
  const usage = reported ?? readErrorUsage({ call, exchange });
  bill.setErrorCode(error.code);
  if (usage !== null) bill.settle(error.status, usage);
  else if (error.isBillable) bill.settle(error.status, null);
}

/** What an error response reports: it may have cost something all the same. */
export function readErrorUsage({
  call,
  exchange,
}: Pick<Attempt, 'call' | 'exchange'>): TokenUsage | null {
  return call.errorText === '' ? null : exchange.toResult(call.errorText).usage;
}

/** A bug of ours after the upstream was called does not make the call free. */
export function toCallError({ call }: Attempt, thrown: unknown): HttpError {
  if (isHttpError(thrown)) return thrown;
  return withOptions(toHttpError(thrown), { isBillable: call.wasSent });
}

/** Waits for a reply to begin: without another target, only for its headers not longer than `lateAfterMs`. */
export async function waitForReply<T>(
  reply: Promise<T>,
  { call, client, lateAfterMs, mayFailOver }: Attempt,
): Promise<Readonly<{ reply: T }> | 'left' | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), lateAfterMs);
  // Nobody else could begin sooner.
  if (!mayFailOver) call.opened.then(() => clearTimeout(timer)).catch(() => {});
  try {
    return await Promise.race([
      reply.then((value) => ({ reply: value })),
      client.left.then(() => 'left' as const),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Larger complete replies are a failure of the upstream. */
const replyBytesMax = 32 * 1024 * 1024;

/** Reads a complete reply. @throws HttpError for a failure that says nothing about its usage */
export async function readReply({ call, exchange }: Attempt): Promise<CompleteReply> {
  const text = await readText(call, exchange.resultBytesMax ?? replyBytesMax);
  const reply = exchange.toResult(await toCompleteJson(text));
  if ('error' in reply && reply.usage === null) throw reply.error;
  return reply;
}
