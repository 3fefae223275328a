import { createParser } from 'eventsource-parser';
import type { StreamRelay } from './stream-relay.ts';
import { createOverflowFailure } from './upstream-failure.ts';

export type ByteRelay = {
  /** Takes one network read of the upstream; returns the text to send to the client now, possibly empty. */
  push(bytes: Uint8Array): string;
  /** The upstream has ended; returns the rest of the client's stream. */
  end(): string;
};

export type ByteRelayOptions = Readonly<{
  /** Longest incomplete event to buffer, in characters. */
  eventLengthMax: number;
  /** Longest stream; unlimited by default. */
  bytesMax?: number;
}>;

/** Parses an upstream's event stream (WHATWG HTML §9.2.6) and passes its events to a relay. */
export function createByteRelay(
  relay: StreamRelay,
  { eventLengthMax, bytesMax = Number.POSITIVE_INFINITY }: ByteRelayOptions,
): ByteRelay {
  // The parser strips the byte order mark; stripping it here too would strip two.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  let bytesRead = 0;
  let isOverflowed = false;
  const parser = createParser({
    maxBufferSize: eventLengthMax,
    onEvent(event) {
      text += relay.push(event);
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') overflow();
    },
  });

  function overflow(): void {
    isOverflowed = true;
    text += relay.fail(createOverflowFailure());
  }

  function feed(decoded: string): string {
    text = '';
    // After an overflow the parser throws.
    if (!isOverflowed) parser.feed(decoded);
    return text;
  }

  return {
    push(bytes) {
      bytesRead += bytes.length;
      const fed = feed(decoder.decode(bytes, { stream: true }));
      if (isOverflowed || bytesRead <= bytesMax) return fed;
      overflow();
      return text;
    },
    end() {
      // The standard discards a last event without its blank line, but some upstreams end so after `[DONE]`.
      return feed(`${decoder.decode()}\n\n`) + relay.end();
    },
  };
}
