import { createByteRelay } from '#lib/ai-proxy/stream/byte-relay.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/stream-relay.ts';

/** The client's stream for an upstream stream that arrives in these pieces. */
export function replay(relay: StreamRelay, pieces: readonly (Uint8Array | string)[]): string {
  const bytes = createByteRelay(relay, { eventLengthMax: 100_000 });
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    text += bytes.push(typeof piece === 'string' ? encoder.encode(piece) : piece);
  }
  return text + bytes.end();
}

/** The client's stream where the budget ends it after so many characters of the upstream's. */
export function endedByLength(relay: StreamRelay, stream: string, length: number): string {
  const bytes = createByteRelay(relay, { eventLengthMax: 100_000 });
  const text = bytes.push(new TextEncoder().encode(stream.slice(0, length % stream.length)));
  return relay.isDone ? text : text + relay.endByLength();
}
