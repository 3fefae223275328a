import { type HttpError, withOptions } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { addCostToFrames } from '../stream/reply-cost.ts';
import { type MayContinue, ReplyStream } from '../stream/reply-stream.ts';
import {
  clientDisconnectedStatus,
  createClientDisconnectedError,
  createGarbageFailure,
  createLateFailure,
  toHealth,
} from '../upstreams/errors/failure.ts';
import { type Attempt, failCall, readReply, toCallError, waitForReply } from './attempt.ts';
import { stepTokens } from './reply-bounds.ts';

type StreamAttempt = Attempt &
  Readonly<{
    /** The client wants the cost in the usage. */
    includesCost: boolean;
    /** The bound of all replies together that the upstream has got; null: none. */
    outputTokensMax: number | null;
    /** Null while the key still works; else the error that ends its streams. */
    recheck: () => Promise<HttpError | null>;
    /** The stream fails after it has begun: its status is 200 all the same. */
    onBroken: (error: HttpError) => void;
    log: Log;
  }>;

/** A reply that has begun: texts of complete frames. Call `return` if the client leaves. */
export type OpenedStream = Readonly<{ first: string; rest: AsyncGenerator<string, void> }>;

/** How long to wait for the usage of a complete stream after the client has left. */
const usageWaitMs = 5000;
/** How often a running stream is checked: its key, and whether it is silent. */
const checkMs = 2000;

/**
 * Waits for the first part of a streamed reply. @throws HttpError for a failure before it: nothing of this target was
 * sent to the client.
 */
export async function openStream(attempt: StreamAttempt): Promise<OpenedStream> {
  const { call, exchange, bill, client } = attempt;
  const reply = new ReplyStream(call, exchange.createRelay(), createStreamBudget(attempt));
  bill.setProgress(() => reply.progress);
  client.left.then(() => {
    // It has ended, or goes on in the background.
    if (!bill.isOpen) return;
    if (reply.relay.awaitsUsage) setTimeout(() => call.close(), usageWaitMs).unref();
    else call.close();
  });
  const watch = setInterval(() => void check(attempt, reply), checkMs);
  const begun = await begin(attempt, reply).catch((error) => {
    clearInterval(watch);
    throw error;
  });
  const first = show(attempt, reply, begun);
  bill.markFirstByte();
  bill.setReplyId(reply.relay.replyId);
  const rest = relay(attempt, reply, { first, watch });
  // Started, so that it is settled however it ends.
  await rest.next();
  return { first, rest };
}

async function begin(attempt: StreamAttempt, reply: ReplyStream): Promise<string> {
  const { call, bill } = attempt;
  const first = readFirst(attempt, reply);
  const outcome = await waitForReply(first, attempt);
  if (outcome === 'left') {
    settle(attempt, reply);
    throw createClientDisconnectedError();
  }
  if (outcome === 'late') {
    const error = createLateFailure(call);
    // Nobody reads it any more, and what is not sent is not charged.
    if (call.wasSent) bill.settleCut(error.status, reply.progress);
    call.close();
    throw error;
  }
  const { failure, hasOutput, reported } = reply.relay;
  // Nothing was sent, so a status can still tell about it.
  if (failure !== null && !hasOutput) {
    // Whatever the upstream had generated, it would have sent.
    if (reported === null && failure.isBillable) bill.settleCut(failure.status, reply.progress);
    failCall(attempt, failure, reported);
    throw failure;
  }
  return outcome.reply;
}

async function readFirst(attempt: StreamAttempt, reply: ReplyStream): Promise<string> {
  try {
    const contentType = await attempt.call.opened;
    if (!contentType.includes('json')) return await reply.readFirst();
    // Most often an error in place of a stream.
    const read = await readReply(attempt);
    const error = 'error' in read ? read.error : createGarbageFailure();
    if (read.usage !== null) attempt.bill.settle(error.status, read.usage);
    throw error;
  } catch (thrown) {
    return reply.relay.fail(reply.stopError ?? toCallError(attempt, thrown));
  }
}

/** The reply, read as fast as the client takes it. */
async function* relay(
  attempt: StreamAttempt,
  reply: ReplyStream,
  { first, watch }: Readonly<{ first: string; watch: NodeJS.Timeout }>,
): AsyncGenerator<string, void> {
  const { call, client } = attempt;
  try {
    if (reply.isOver) settle(attempt, reply);
    yield first;
    while (!reply.isOver) {
      const text = await reply.read();
      if (reply.isOver) settle(attempt, reply);
      if (text !== '') yield show(attempt, reply, text);
    }
  } finally {
    clearInterval(watch);
    // Not more than `usageWaitMs`: then the call is closed.
    if (client.hasLeft && reply.relay.awaitsUsage) await reply.readUsage().catch(() => {});
    settle(attempt, reply);
    call.close();
  }
}

/** The text for the client: with the cost, if it asked for that. */
function show({ includesCost, bill }: StreamAttempt, reply: ReplyStream, text: string): string {
  if (!includesCost) return text;
  const usage = reply.wasCut ? reply.progress.usage : reply.relay.usage;
  return addCostToFrames(text, bill.toCostUsd(usage));
}

async function check(attempt: StreamAttempt, reply: ReplyStream): Promise<void> {
  const { recheck, call, outputTokensMax } = attempt;
  if (call.wasSent) await reply.countSilence(checkMs / 1000, outputTokensMax);
  const error = await recheck().catch(() => null);
  if (error !== null) reply.stop(withOptions(error, { isBillable: call.wasSent }));
}

/** Charges what was reported, or what was seen of a reply that was cut off. Only the first time counts. */
function settle({ call, bill, client, onBroken }: StreamAttempt, reply: ReplyStream): void {
  if (!bill.isOpen) return;
  const { isDone, failure, usage } = reply.relay;
  const status = client.hasLeft ? clientDisconnectedStatus : 200;
  if (isDone && failure === null) {
    bill.settle(status, reply.wasCut ? reply.progress.usage : usage);
    if (reply.wasCut) call.close('healthy');
    else call.closeSoon();
    return;
  }
  if (!client.hasLeft && failure !== null) onBroken(failure);
  if (call.wasSent) bill.settleCut(status, reply.progress);
  else bill.release(status);
  call.close(failure === null || client.hasLeft ? 'unknown' : toHealth(failure));
}

/**
 * Beyond its reservation a stream goes on step by step, as far as the budget lasts. An upstream that ignores the bound
 * is cut; estimates are not exact, so it may be exceeded twice.
 */
function createStreamBudget({ bill, outputTokensMax, log }: StreamAttempt): MayContinue {
  let reserved = bill.reservation.promptTokens + bill.reservation.outputTokens;

  async function extend(used: number): Promise<boolean> {
    const outputTokens = await bill.extend(used - reserved + stepTokens);
    reserved = bill.reservation.promptTokens + outputTokens;
    return used < reserved;
  }

  return ({ inputTokens, outputTokens }) => {
    if (outputTokensMax !== null && outputTokens > 2 * outputTokensMax + stepTokens) {
      log.warn({ reason: 'bound_ignored' }, 'an upstream ignores the bound of a reply: it is cut');
      return false;
    }
    const used = inputTokens + outputTokens;
    return used < reserved || extend(used);
  };
}
