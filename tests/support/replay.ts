import { createByteRelay } from '#lib/ai-proxy/stream/byte-relay.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/stream-relay.ts';

/** What a caller gets of an upstream's stream that comes in these pieces and then ends. */
export function replay(relay: StreamRelay, pieces: readonly (Uint8Array | string)[]): string {
  const bytes = createByteRelay(relay, { eventLengthMax: 100_000 });
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    text += bytes.push(typeof piece === 'string' ? encoder.encode(piece) : piece);
  }
  return text + bytes.end();
}
