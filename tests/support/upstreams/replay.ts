import { EventReader } from '#lib/ai-proxy/stream/event-reader.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/stream-relay.ts';
import { createOverflowFailure } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';

const eventLengthMax = 100_000;

/** The client's stream for an upstream stream that arrives in these pieces. */
export function replay(relay: StreamRelay, pieces: readonly (Uint8Array | string)[]): string {
  const events = new EventReader(eventLengthMax);
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
    for (const event of events.push(bytes)) text += relay.push(event);
    if (events.isOverflowed) text += relay.fail(createOverflowFailure());
  }
  for (const event of events.end()) text += relay.push(event);
  return text + relay.end();
}

/** The client's stream where the budget ends it after so many characters of the upstream's. */
export function endedByLength(relay: StreamRelay, stream: string, length: number): string {
  const events = new EventReader(eventLengthMax);
  let text = '';
  const bytes = new TextEncoder().encode(stream.slice(0, length % stream.length));
  for (const event of events.push(bytes)) text += relay.push(event);
  return relay.isDone ? text : text + relay.endByLength();
}
