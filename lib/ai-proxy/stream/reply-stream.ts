import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Progress } from '#lib/spend/billed-call.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { UpstreamCall } from '../upstreams/calls/upstream-call.ts';
import { createOverflowFailure } from '../upstreams/errors/failure.ts';
import type { StreamRelay } from './stream-relay.ts';

/** What models may generate in a second without sending or reporting it. */
const hiddenTokensPerSecond = 100;
/** Longest text before a reply, in characters. */
const prefaceLengthMax = 64 * 1024;

/** Whether a stream may go on with this usage, prompt and reply together. */
export type MayContinue = (usage: TokenUsage) => boolean | Promise<boolean>;

/** A streamed reply of an upstream, being relayed. It is pulled: one network read after the other. */
export class ReplyStream {
  readonly relay: StreamRelay;
  /** It was finished here, since it may not go on. */
  wasCut = false;
  /** Why it was stopped here. */
  stopError: HttpError | null = null;
  /** What the upstream may have generated while it sent nothing, as far as it may. */
  #hiddenTokens = 0;
  #seenTokens = -1;
  readonly #call: UpstreamCall;
  readonly #mayContinue: MayContinue;
  readonly #events = new EventReader();
  /** The upstream has ended, or its stream is no longer read. */
  #isEnded = false;

  constructor(call: UpstreamCall, relay: StreamRelay, mayContinue: MayContinue) {
    this.#call = call;
    this.relay = relay;
    this.#mayContinue = mayContinue;
  }

  /** What has been used so far, of a reply that is not complete. */
  get progress(): Progress {
    const { usage, reported } = this.relay;
    if (this.#hiddenTokens === 0) return { usage, reported };
    const outputTokens = usage.outputTokens + this.#hiddenTokens;
    const seenOutputTokens = (usage.seenOutputTokens ?? 0) + this.#hiddenTokens;
    return { usage: { ...usage, outputTokens, seenOutputTokens, isEstimated: true }, reported };
  }

  get isOver(): boolean {
    return this.relay.isDone || this.#isEnded;
  }

  /** Everything up to the first part of a reply: what comes before it, another target would send, too. */
  async readFirst(): Promise<string> {
    let text = '';
    while (!this.isOver && !this.relay.hasOutput && text.length <= prefaceLengthMax) {
      text += await this.read();
    }
    return text;
  }

  /** The text to send after one network read, possibly empty: complete frames. A failure becomes an event. */
  async read(): Promise<string> {
    const { relay } = this;
    try {
      const chunk = await this.#call.next();
      const events = chunk === null ? this.#events.end() : this.#events.push(chunk);
      let text = '';
      for (const event of events) {
        // After a failure its usage may follow.
        const isOver = relay.isDone;
        if (isOver && relay.failure === null) break;
        const mayContinue = isOver || this.#mayContinue(this.progress.usage);
        text += mayContinue === true || (await mayContinue) ? relay.push(event) : this.#cut();
      }
      if (this.#events.isOverflowed) text += relay.fail(createOverflowFailure());
      return chunk === null ? text + this.#end() : text;
    } catch (thrown) {
      this.#isEnded = true;
      return relay.fail(toHttpError(thrown));
    }
  }

  /** Reads the rest for its usage. @throws HttpError if the stream fails without having reported one */
  async readUsage(): Promise<TokenUsage> {
    while (!this.isOver) await this.read();
    const { failure, reported, usage } = this.relay;
    if (failure !== null && reported === null) throw failure;
    return usage;
  }

  /**
   * Call it every so many seconds: where nothing has come since, models may reason out of sight, and charge for that.
   * The stream is finished where its budget does not last.
   * @param hiddenTokensMax the bound of the reply; null: none
   */
  async countSilence(seconds: number, hiddenTokensMax: number | null): Promise<void> {
    const { outputTokens } = this.relay.usage;
    const isSilent = outputTokens === this.#seenTokens;
    this.#seenTokens = outputTokens;
    if (!isSilent || this.isOver) return;
    const hidden = this.#hiddenTokens + seconds * hiddenTokensPerSecond;
    this.#hiddenTokens = Math.min(hidden, hiddenTokensMax ?? Number.POSITIVE_INFINITY);
    if (await this.#mayContinue(this.progress.usage)) return;
    this.wasCut = true;
    this.#call.close();
  }

  /** Ends the stream with an error event. */
  stop(error: HttpError): void {
    this.stopError = error;
    this.#call.close();
  }

  #cut(): string {
    this.wasCut = true;
    return this.relay.endByLength();
  }

  #end(): string {
    this.#isEnded = true;
    if (this.stopError !== null) return this.relay.fail(this.stopError);
    return this.wasCut ? this.relay.endByLength() : this.relay.end();
  }
}

/** Longest incomplete event to buffer, in characters. */
const eventLengthMax = 4 * 1024 * 1024;
/** Longest stream, in bytes: far more than any model generates. */
const streamBytesMax = 512 * 1024 * 1024;

/** Reads an upstream's event stream (WHATWG HTML §9.2.6). */
export class EventReader {
  // The parser strips the byte order mark; stripping it here too would strip two.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #events: EventSourceMessage[] = [];
  readonly #parser: EventSourceParser;
  #bytesRead = 0;
  #isOverflowed = false;

  constructor(lengthMax = eventLengthMax) {
    this.#parser = createParser({
      maxBufferSize: lengthMax,
      onEvent: (event) => void this.#events.push(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#isOverflowed = true;
      },
    });
  }

  /** The events that one network read completes. The array is reused by the next call. */
  push(bytes: Uint8Array): readonly EventSourceMessage[] {
    this.#bytesRead += bytes.length;
    return this.#feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The upstream has ended: the last events. */
  end(): readonly EventSourceMessage[] {
    // The standard discards a last event without its blank line, but some upstreams end so after `[DONE]`.
    return this.#feed(`${this.#decoder.decode()}\n\n`);
  }

  /** An event, or the whole stream, is too long; what follows is not read. */
  get isOverflowed(): boolean {
    return this.#isOverflowed;
  }

  #feed(text: string): readonly EventSourceMessage[] {
    this.#events.length = 0;
    // After an overflow the parser throws.
    if (!this.#isOverflowed) this.#parser.feed(text);
    if (this.#bytesRead > streamBytesMax) this.#isOverflowed = true;
    return this.#events;
  }
}
