import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Longest incomplete event to buffer, in characters. */
const eventLengthMax = 4 * 1024 * 1024;
/** Longest stream, in bytes: far more than any model generates. */
const streamBytesMax = 512 * 1024 * 1024;

/** Reads an upstream's event stream (WHATWG HTML §9.2.6). */
export type EventReader = {
  /** The events that one network read completes. The array is reused by the next call. */
  push(bytes: Uint8Array): readonly EventSourceMessage[];
  /** The upstream has ended: the last events. */
  end(): readonly EventSourceMessage[];
  /** An event, or the whole stream, is too long; what follows is not read. */
  readonly isOverflowed: boolean;
};

export function createEventReader(lengthMax = eventLengthMax): EventReader {
  // The parser strips the byte order mark; stripping it here too would strip two.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const events: EventSourceMessage[] = [];
  let bytesRead = 0;
  let isOverflowed = false;
  const parser = createParser({
    maxBufferSize: lengthMax,
    onEvent: (event) => void events.push(event),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') isOverflowed = true;
    },
  });

  function feed(text: string): readonly EventSourceMessage[] {
    events.length = 0;
    // After an overflow the parser throws.
    if (!isOverflowed) parser.feed(text);
    if (bytesRead > streamBytesMax) isOverflowed = true;
    return events;
  }

  return {
    push(bytes) {
      bytesRead += bytes.length;
      return feed(decoder.decode(bytes, { stream: true }));
    },
    // The standard discards a last event without its blank line, but some upstreams end so after `[DONE]`.
    end: () => feed(`${decoder.decode()}\n\n`),
    get isOverflowed() {
      return isOverflowed;
    },
  };
}
