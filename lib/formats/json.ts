import type { MarqueeEvent } from '#lib/events/schema.ts';

/** How many events are written before waiting requests get their turn. */
const slice = 200;

/**
 * The body of the list: `data` and `meta`. Written in slices, so that 10,000 events do not hold up
 * the requests beside it.
 * @param pace awaited between slices.
 */
export async function toEventListJson(
  events: readonly MarqueeEvent[],
  generatedAt: string,
  pace: () => Promise<void> | undefined,
): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (let start = 0; start < events.length; start += slice) {
    const written = events.slice(start, start + slice).map((event) => JSON.stringify(event));
    parts.push(Buffer.from((start === 0 ? '' : ',') + written.join(',')));
    await pace();
  }
  const meta = JSON.stringify({ count: events.length, generatedAt });
  parts.push(Buffer.from(`],"meta":${meta}}\n`));
  return Buffer.concat(parts);
}

/** The body of a single event. */
export function toEventItemJson(event: MarqueeEvent, generatedAt: string): string {
  return `${JSON.stringify({ data: event, meta: { generatedAt } })}\n`;
}
