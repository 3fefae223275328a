import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { StreamRelay } from './stream-relay.ts';
import { createOverflowFailure } from './upstream-failure.ts';

export type ByteRelay = {
  /** Takes one network read of the upstream; returns the text to send to the client now, possibly empty. */
  push(bytes: Uint8Array): string;
  /** Continues after `mayContinue` has held events back. */
  resume(): string;
  /** The upstream has ended; returns the rest of the client's stream. */
  end(): string;
};

export type ByteRelayOptions = Readonly<{
  /** Longest incomplete event to buffer, in characters. */
  eventLengthMax: number;
  /** Longest stream; unlimited by default. */
  bytesMax?: number;
  /** Checked before each event; while false, events are held back. */
  mayContinue?: () => boolean;
}>;

/** Parses an upstream's event stream (WHATWG HTML §9.2.6) and passes its events to a relay. */
export function createByteRelay(
  relay: StreamRelay,
  {
    eventLengthMax,
    bytesMax = Number.POSITIVE_INFINITY,
    mayContinue = () => true,
  }: ByteRelayOptions,
): ByteRelay {
  // The parser strips the byte order mark; stripping it here too would strip two.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let waiting: EventSourceMessage[] = [];
  let bytesRead = 0;
  let isOverflowed = false;
  let isEnded = false;
  const parser = createParser({
    maxBufferSize: eventLengthMax,
    onEvent(event) {
      waiting.push(event);
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') isOverflowed = true;
    },
  });

  function relayWaiting(): string {
    let text = '';
    let count = 0;
    for (const event of waiting) {
      if (!mayContinue()) break;
      text += relay.push(event);
      count++;
    }
    waiting = count === waiting.length ? [] : waiting.slice(count);
    if (waiting.length > 0) return text;
    if (isOverflowed) text += relay.fail(createOverflowFailure());
    return isEnded ? text + relay.end() : text;
  }

  function feed(decoded: string): string {
    // After an overflow the parser throws.
    if (!isOverflowed) parser.feed(decoded);
    if (bytesRead > bytesMax) isOverflowed = true;
    return relayWaiting();
  }

  return {
    push(bytes) {
      bytesRead += bytes.length;
      return feed(decoder.decode(bytes, { stream: true }));
    },
    resume: relayWaiting,
    end() {
      isEnded = true;
      // The standard discards a last event without its blank line, but some upstreams end so after `[DONE]`.
      return feed(`${decoder.decode()}\n\n`);
    },
  };
}
