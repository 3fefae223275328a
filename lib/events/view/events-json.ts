import type { MarqueeEvent, PublishedEvent, SignedUrlsById } from '../model/schema.ts';

/** How many events are written before waiting requests get their turn. */
const slice = 200;

/** What of a snapshot stands in its JSON beside the events. */
type Read = Readonly<{ generatedAt: string; signedUrls: SignedUrlsById }>;

/**
 * The body of the list: `data` and `meta`. Written in slices, so that 10,000 events do not hold up
 * the requests beside it.
 * @param yieldWhenDue awaited between slices.
 */
export async function toEventListJson(
  events: readonly MarqueeEvent[],
  { generatedAt, signedUrls }: Read,
  yieldWhenDue: () => Promise<void> | undefined,
): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (let start = 0; start < events.length; start += slice) {
    const written = events
      .slice(start, start + slice)
      .map((event) => JSON.stringify(toPublished(event, signedUrls)));
    parts.push(Buffer.from((start === 0 ? '' : ',') + written.join(',')));
    await yieldWhenDue();
  }
  const meta = JSON.stringify({ count: events.length, generatedAt });
  parts.push(Buffer.from(`],"meta":${meta}}\n`));
  return Buffer.concat(parts);
}

/** The body of a single event. */
export function toEventItemJson(event: MarqueeEvent, { generatedAt, signedUrls }: Read): string {
  const data = toPublished(event, signedUrls);
  return `${JSON.stringify({ data, meta: { generatedAt } })}\n`;
}

/** An event with the signed addresses that it has now; its fields stand in the documented order. */
export function toPublished(event: MarqueeEvent, signedUrls: SignedUrlsById): PublishedEvent {
  const urls = signedUrls.get(event.id);
  const { background, theme, pictures, ...facts } = event;
  return {
    ...facts,
    logoUrl: urls?.logo ?? null,
    background: background && { ...background, imageUrl: urls?.background ?? null },
    theme,
    pictures,
  };
}
