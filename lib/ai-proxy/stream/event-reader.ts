import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';

/** Longest event, in characters: a generated picture may be one. */
export const eventLengthMax = 32 * 1024 * 1024;
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
  #pendingLength = 0;

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

  /** At most so many characters wait for the rest of their event. */
  get pendingLength(): number {
    return this.#pendingLength;
  }

  #feed(text: string): readonly EventSourceMessage[] {
    this.#events.length = 0;
    // After an overflow the parser throws.
    if (!this.#isOverflowed) this.#parser.feed(text);
    const isEmpty = this.#events.length > 0;
    this.#pendingLength = isEmpty ? text.length : this.#pendingLength + text.length;
    if (this.#bytesRead > streamBytesMax) this.#isOverflowed = true;
    return this.#events;
  }
}
