import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { Exchange } from '../protocols/model-request.ts';
import { toChunk } from '../protocols/reply-forms.ts';
import { EventReader } from '../stream/event-reader.ts';
import { addCostToFrames } from '../stream/reply-cost.ts';
import type { StreamRelay } from '../stream/stream-relay.ts';
import {
  clientDisconnectedStatus,
  createClientDisconnectedError,
  createGarbageFailure,
  createLateFailure,
  createOverflowFailure,
  toFailure,
  toHealth,
} from '../upstreams/errors/upstream-failure.ts';
import type { AcceptedRequest } from './attempt.ts';
import {
  type Attempt,
  failCall,
  readReplyText,
  toCallError,
  toReply,
  waitForReply,
} from './attempt.ts';
import { stepTokens } from './reply-bounds.ts';

/** How long to wait for the usage of a complete stream after the client has left. */
const usageWaitMs = 5000;
/** How often a running stream is checked: its key, and whether it is silent. */
const checkMs = 2000;
/** What models may generate between two checks without sending or reporting it. */
const hiddenTokens = 200;
/** Longest text before a reply, in characters. */
const prefaceLengthMax = 64 * 1024;

/**
 * A streamed reply of a target, and what it costs: relayed one network read after the other, and settled once. Call
 * `open` first, and `end` when it is over, or the client has left.
 */
export class StreamedReply {
  /** Complete frames with the first part of the reply. */
  first = '';
  readonly #attempt: Attempt;
  readonly #log: Log;
  readonly #relay: StreamRelay;
  readonly #events = new EventReader();
  readonly #watch = setInterval(() => void this.#check(), checkMs);
  /** Tokens, of prompt and reply together. */
  #reserved: number;
  /** It was finished here, since it may not go on. */
  #wasCut = false;
  /** Why it was stopped here. */
  #stopError: HttpError | null = null;
  /** What the upstream may have generated while it sent nothing, as far as it may. */
  #hiddenTokens = 0;
  #seenTokens = -1;
  /** The upstream has ended, or its stream is no longer read. */
  #isEnded = false;

  constructor(attempt: Attempt, log: Log) {
    const { accepted, bill, exchange } = attempt;
    this.#attempt = attempt;
    this.#log = log;
    this.#relay = exchange.createRelay();
    this.#reserved = bill.reservation.promptTokens + bill.reservation.outputTokens;
    bill.setProgress(() => ({ usage: this.#usage, reported: this.#relay.reported }));
    accepted.client.left.then(() => this.#endCall());
  }

  get exchange(): Exchange {
    return this.#attempt.exchange;
  }

  get isOver(): boolean {
    return this.#relay.isDone || this.#isEnded;
  }

  /** Waits for its first part. @throws HttpError for a failure before it: nothing was sent to the client */
  async open(): Promise<this> {
    const { bill } = this.#attempt;
    try {
      this.first = this.#show(await this.#begin());
    } catch (error) {
      clearInterval(this.#watch);
      throw error;
    }
    bill.markFirstByte();
    bill.setReplyId(this.#relay.replyId);
    if (this.isOver) this.#settle();
    return this;
  }

  /** The text to send after one network read, possibly empty: complete frames. A failure becomes an event. */
  async read(): Promise<string> {
    const text = await this.#readNext();
    if (this.isOver) this.#settle();
    return this.#show(text);
  }

  async end(): Promise<void> {
    const { accepted, call } = this.#attempt;
    clearInterval(this.#watch);
    // Not more than `usageWaitMs`: then the call is closed.
    if (accepted.client.hasLeft && this.#relay.awaitsUsage)
      while (!this.isOver) await this.#readNext();
    this.#settle();
    call.close();
  }

  async #begin(): Promise<string> {
    const { call, bill } = this.#attempt;
    const outcome = await waitForReply(this.#readFirst(), this.#attempt);
    if (outcome === 'left') {
      this.#settle();
      throw createClientDisconnectedError();
    }
    if (outcome === 'late') {
      const error = createLateFailure(call);
      // Nobody reads it any more, and what is not sent is not charged.
      if (call.wasSent) bill.settle(error.status, null);
      call.close();
      throw error;
    }
    const { failure: error, hasOutput, reported } = this.#relay;
    // Nothing was sent, so a status can still tell about it.
    if (error !== null && !hasOutput) {
      const failure = toFailure(error);
      failCall(this.#attempt, failure, reported);
      throw failure;
    }
    return outcome.reply;
  }

  /** Everything up to the first part of a reply: what comes before it, another target would send, too. */
  async #readFirst(): Promise<string> {
    const { call } = this.#attempt;
    try {
      const contentType = await call.opened;
      if (contentType.includes('json')) return await this.#readComplete();
      let text = '';
      while (!this.isOver && !this.#relay.hasOutput && text.length <= prefaceLengthMax) {
        text += await this.#readNext();
      }
      return text;
    } catch (thrown) {
      return this.#relay.fail(this.#stopError ?? toCallError(this.#attempt, thrown));
    }
  }

  /** JSON in place of a stream: a complete reply of chat becomes one; else it is most often an error. */
  async #readComplete(): Promise<string> {
    const text = await readReplyText(this.#attempt);
    const { exchange, bill } = this.#attempt;
    const isChat = exchange.sent.dialect === 'chat' || exchange.sent.dialect === 'translated';
    const chunk = isChat ? toChunk(text) : null;
    if (chunk !== null) return this.#relay.push({ data: chunk }) + this.#endByUpstream();
    const read = toReply(this.#attempt, text);
    const error = 'error' in read ? read.error : createGarbageFailure();
    if (read.usage !== null) bill.settle(error.status, read.usage);
    throw error;
  }

  async #readNext(): Promise<string> {
    const relay = this.#relay;
    try {
      const chunk = await this.#attempt.call.next();
      const events = chunk === null ? this.#events.end() : this.#events.push(chunk);
      let text = '';
      for (const event of events) {
        // After a failure its usage may follow.
        const isOver = relay.isDone;
        if (isOver && relay.failure === null) break;
        const mayContinue = isOver || this.#mayContinue();
        text += mayContinue === true || (await mayContinue) ? relay.push(event) : this.#cut();
      }
      const hasRoom = this.#attempt.accepted.held.holdEvent(this.#events.pendingLength);
      if (this.#events.isOverflowed || !hasRoom) text += relay.fail(createOverflowFailure());
      return chunk === null ? text + this.#endByUpstream() : text;
    } catch (thrown) {
      this.#isEnded = true;
      return relay.fail(toHttpError(thrown));
    }
  }

  #endByUpstream(): string {
    this.#isEnded = true;
    if (this.#stopError !== null) return this.#relay.fail(this.#stopError);
    return this.#wasCut ? this.#relay.endByLength() : this.#relay.end();
  }

  #cut(): string {
    this.#wasCut = true;
    return this.#relay.endByLength();
  }

  /** The text for the client: with the cost, if it asked for that. */
  #show(text: string): string {
    const { accepted, bill } = this.#attempt;
    if (text === '' || accepted.plan.generation.includesCost !== true) return text;
    const usage = this.#wasCut ? this.#usage : this.#relay.usage;
    return addCostToFrames(text, bill.toCostUsd(usage));
  }

  /** What has been used so far, of a reply that is not complete. */
  get #usage(): TokenUsage {
    const { usage } = this.#relay;
    if (this.#hiddenTokens === 0) return usage;
    const outputTokens = usage.outputTokens + this.#hiddenTokens;
    const seenOutputTokens = (usage.seenOutputTokens ?? 0) + this.#hiddenTokens;
    return { ...usage, outputTokens, seenOutputTokens, isEstimated: true };
  }

  /**
   * Beyond its reservation a stream goes on step by step, as far as the budget lasts. An upstream that ignores the bound
   * is cut; estimates are not exact, so it may be exceeded twice.
   */
  #mayContinue(): boolean | Promise<boolean> {
    const { outputTokensMax } = this.#attempt;
    const { inputTokens, outputTokens } = this.#usage;
    if (outputTokensMax !== null && outputTokens > 2 * outputTokensMax + stepTokens) {
      this.#log.warn(
        { reason: 'bound_ignored' },
        'an upstream ignores the bound of a reply: it is cut',
      );
      return false;
    }
    const used = inputTokens + outputTokens;
    return used < this.#reserved || this.#extend(used);
  }

  async #extend(used: number): Promise<boolean> {
    const { bill } = this.#attempt;
    const outputTokens = await bill.extend(used - this.#reserved + stepTokens);
    this.#reserved = bill.reservation.promptTokens + outputTokens;
    return used < this.#reserved;
  }

  async #check(): Promise<void> {
    const { accepted, call } = this.#attempt;
    if (call.wasSent) await this.#countSilence();
    const error = await accepted.recheck().catch(() => null);
    if (error === null) return;
    this.#stopError = toFailure(error).with({ isBillable: call.wasSent });
    call.close();
  }

  /** Models may reason out of sight, and charge for that. The stream is finished where its budget does not last. */
  async #countSilence(): Promise<void> {
    const { outputTokens } = this.#relay.usage;
    const isSilent = outputTokens === this.#seenTokens;
    this.#seenTokens = outputTokens;
    if (!isSilent || this.isOver) return;
    const { outputTokensMax } = this.#attempt;
    this.#hiddenTokens = Math.min(this.#hiddenTokens + hiddenTokens, outputTokensMax ?? Infinity);
    if (await this.#mayContinue()) return;
    this.#wasCut = true;
    this.#attempt.call.close();
  }

  /** The client has left. */
  #endCall(): void {
    const { call, bill } = this.#attempt;
    // It has ended.
    if (!bill.isOpen) return;
    if (this.#relay.awaitsUsage) setTimeout(() => call.close(), usageWaitMs).unref();
    else call.close();
  }

  /** Charges what was reported, or what was seen of a reply that was cut off. Only the first time counts. */
  #settle(): void {
    const { accepted, call, bill } = this.#attempt;
    if (!bill.isOpen) return;
    const { hasLeft } = accepted.client;
    const { isDone, failure, usage } = this.#relay;
    const status = hasLeft ? clientDisconnectedStatus : 200;
    if (isDone && failure === null) {
      bill.settle(status, this.#wasCut ? this.#usage : usage);
      if (this.#wasCut) call.close('healthy');
      else call.closeSoon();
      return;
    }
    if (!hasLeft && failure !== null) reportBroken(this.#log, accepted, failure);
    if (call.wasSent) bill.settle(status, null);
    else bill.release(status);
    call.close(failure === null || hasLeft ? 'unknown' : toHealth(failure));
  }
}

/** The response's status is already 200, also in the usage record: only this shows that the reply failed. */
export function reportBroken(
  log: Log,
  { plan, observer }: AcceptedRequest,
  { code, reason, cause }: HttpError,
): void {
  const model = plan.model.slice(0, 100);
  const message = 'a reply failed in mid-stream';
  if (code === 'internal_error') log.error({ code, model, err: cause }, message);
  else log.warn({ code, reason, model }, message);
  observer.markBroken();
}
