import { StringDecoder } from 'node:string_decoder';
import type { SseFrame } from './sse-frame.ts';

export type SseParser = {
  /**
   * Takes what one network read brought, split anywhere; gives the frames that it completed.
   * After a frame that is too long it gives no more.
   */
  push(bytes: Uint8Array): readonly SseFrame[];
  /**
   * Says that the upstream has ended; gives the frame that lacked only its blank line, if there is one.
   * The standard throws such a frame away, but some upstreams end so after `[DONE]`.
   */
  end(): SseFrame | null;
  /** Whether a frame came that was longer than the bound: the stream cannot be read on. */
  readonly isOverflowed: boolean;
};

export type SseParserOptions = Readonly<{
  /** Longest frame, comments included, in characters (UTF-16 units: what a string takes in memory). */
  eventLengthMax: number;
}>;

/**
 * Reads a stream of server-sent events (WHATWG HTML §9.2.6): line ends of all three kinds, a byte order
 * mark, comments, data of several lines. `id` and `retry` are for reconnecting clients, which these
 * streams do not have, so both are dropped.
 */
export function createSseParser({ eventLengthMax }: SseParserOptions): SseParser {
  const decoder = new StringDecoder('utf8');
  let isAtStart = true;
  let isAfterCarriageReturn = false;
  let isOverflowed = false;
  // A line that is not complete yet. It grows as a rope and is searched once, when it is complete:
  // a long frame in many small reads costs no more than in one.
  let partialLine = '';
  let frameLength = 0;
  let event: string | null = null;
  let data: string | null = null;

  function toText(decoded: string): string {
    let text = decoded;
    if (isAtStart && text !== '') {
      isAtStart = false;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    if (isAfterCarriageReturn && text !== '') {
      isAfterCarriageReturn = false;
      if (text.startsWith('\n')) text = text.slice(1);
    }
    if (!text.includes('\r')) return text;
    // A carriage return ends its line at once; a line feed that follows it in the next read is its own.
    isAfterCarriageReturn = text.endsWith('\r');
    return text.replace(/\r\n?/g, '\n');
  }

  function takeFrame(): SseFrame | null {
    const frame = data === null ? null : { event, data };
    event = null;
    data = null;
    frameLength = 0;
    return frame;
  }

  function takeLine(line: string): void {
    if (line.startsWith('data:')) {
      const value = line.slice(line.startsWith(' ', 5) ? 6 : 5);
      data = data === null ? value : `${data}\n${value}`;
    } else if (line.startsWith('event:')) {
      event = line.slice(line.startsWith(' ', 6) ? 7 : 6) || null;
    } else if (line === 'data') {
      data = data === null ? '' : `${data}\n`;
    } else if (line === 'event') {
      event = null;
    }
  }

  function read(text: string): SseFrame[] {
    const frames: SseFrame[] = [];
    let start = 0;
    for (;;) {
      const lineEnd = text.indexOf('\n', start);
      const end = lineEnd === -1 ? text.length : lineEnd;
      frameLength += end - start;
      if (frameLength > eventLengthMax) {
        isOverflowed = true;
        partialLine = '';
        takeFrame();
        return frames;
      }
      if (lineEnd === -1) {
        partialLine += text.slice(start);
        return frames;
      }
      const line = partialLine + text.slice(start, lineEnd);
      partialLine = '';
      start = lineEnd + 1;
      if (line !== '') {
        takeLine(line);
        continue;
      }
      const frame = takeFrame();
      if (frame !== null) frames.push(frame);
    }
  }

  return {
    push(bytes) {
      if (isOverflowed) return [];
      // The decoder keeps the first bytes of a character that was split.
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return read(toText(decoder.write(buffer)));
    },
    end() {
      if (isOverflowed) return null;
      const line = partialLine + toText(decoder.end());
      partialLine = '';
      takeLine(line);
      return takeFrame();
    },
    get isOverflowed() {
      return isOverflowed;
    },
  };
}
