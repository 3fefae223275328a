import { createSseParser } from './sse-parser.ts';
import type { StreamRelay } from './stream-relay.ts';
import { createOverflowFailure } from './upstream-failure.ts';

export type ByteRelay = {
  /** Takes one network read of the upstream; gives what to write to the caller at once, perhaps nothing. */
  push(bytes: Uint8Array): string;
  /** The upstream has ended; gives the rest of the caller's stream. */
  end(): string;
};

export type ByteRelayOptions = Readonly<{
  /** Longest frame that is held in memory, in characters. */
  eventLengthMax: number;
  /** Most that is read of the whole stream; without it there is no bound. */
  bytesMax?: number;
}>;

/** Joins the parser and a relay: bytes of the upstream → text for the caller. */
export function createByteRelay(
  relay: StreamRelay,
  { eventLengthMax, bytesMax = Number.POSITIVE_INFINITY }: ByteRelayOptions,
): ByteRelay {
  const parser = createSseParser({ eventLengthMax });
  let bytesRead = 0;
  return {
    push(bytes) {
      let text = '';
      for (const frame of parser.push(bytes)) text += relay.push(frame);
      bytesRead += bytes.length;
      const isTooMuch = parser.isOverflowed || bytesRead > bytesMax;
      return isTooMuch ? text + relay.fail(createOverflowFailure()) : text;
    },
    end() {
      const last = parser.end();
      const text = last === null ? '' : relay.push(last);
      return text + relay.end();
    },
  };
}
