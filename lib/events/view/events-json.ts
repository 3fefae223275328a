import type { MarqueeEvent, PublishedEvent, SignedUrlsById } from '../model/schema.ts';

/** How many events are written at a time. */
const chunkLength = 200;

type SnapshotPart = Readonly<{ generatedAt: string; signedUrls: SignedUrlsById }>;

/**
 * The JSON body of the list, `data` and `meta`.
 * @param yieldWhenDue awaited between chunks of events.
 */
export async function toEventListJson(
  events: readonly MarqueeEvent[],
  { generatedAt, signedUrls }: SnapshotPart,
  yieldWhenDue: () => Promise<void> | undefined,
): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (let start = 0; start < events.length; start += chunkLength) {
    const written = events
      .slice(start, start + chunkLength)
      .map((event) => toEventJson(event, signedUrls));
    parts.push(Buffer.from((start === 0 ? '' : ',') + written.join(',')));
    await yieldWhenDue();
  }
  const meta = JSON.stringify({ count: events.length, generatedAt });
  parts.push(Buffer.from(`],"meta":${meta}}\n`));
  return Buffer.concat(parts);
}

/** The JSON body of a single event. */
export function toEventItemJson(
  event: MarqueeEvent,
  { generatedAt, signedUrls }: SnapshotPart,
): string {
  const data = toPublished(event, signedUrls);
  return `${JSON.stringify({ data, meta: { generatedAt } })}\n`;
}

// Events written since the last read, since queries differ more than the events that they match.
const writtenByRead = new WeakMap<SignedUrlsById, Map<MarqueeEvent, string>>();

function toEventJson(event: MarqueeEvent, signedUrls: SignedUrlsById): string {
  const written = writtenByRead.get(signedUrls) ?? new Map<MarqueeEvent, string>();
  writtenByRead.set(signedUrls, written);
  const json = written.get(event) ?? JSON.stringify(toPublished(event, signedUrls));
  written.set(event, json);
  return json;
}

/** An event with its current signed URLs, its fields in the documented order. */
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
