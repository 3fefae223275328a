import type { MarqueeEvent, PublishedEvent, SignedUrlsById } from '../model/schema.ts';
import { type Closest, closestMax } from './closest-events.ts';

/** How many events are written at a time. */
const chunkLength = 200;

type SnapshotPart = Readonly<{ generatedAt: string; signedUrls: SignedUrlsById }>;

type ListOptions = SnapshotPart &
  Readonly<{
    /** Of a search that no event meets. */
    closest?: Closest | null;
  }>;

/**
 * The JSON body of the list, `data` and `meta`.
 * @param yieldWhenDue awaited between chunks of events.
 */
export async function toEventListJson(
  events: readonly MarqueeEvent[],
  { generatedAt, signedUrls, closest = null }: ListOptions,
  yieldWhenDue: () => Promise<void> | undefined,
): Promise<Buffer> {
  const parts: Uint8Array[] = [Buffer.from(listStart)];
  for (const [index, event] of events.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(toEventJson(event, signedUrls));
    if (index % chunkLength === chunkLength - 1) await yieldWhenDue();
  }
  const more = closest && toClosestJson(closest, signedUrls);
  parts.push(Buffer.from(toListEnd({ count: events.length, generatedAt, ...more })));
  return Buffer.concat(parts);
}

/** The same, part by part. */
export function* writeEventListJson(
  events: readonly MarqueeEvent[],
  { generatedAt, signedUrls }: SnapshotPart,
): Generator<string> {
  yield listStart;
  for (const [index, event] of events.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(toPublished(event, signedUrls))}`;
  }
  yield toListEnd({ count: events.length, generatedAt });
}

function toListEnd(meta: object): string {
  return `],"meta":${JSON.stringify(meta)}}\n`;
}

function toClosestJson(
  { without, didYouMean, events, toDistance }: Closest,
  signedUrls: SignedUrlsById,
) {
  const closest = events.slice(0, closestMax).map((event) => ({
    event: toPublished(event, signedUrls),
    distanceKm: toDistance(event),
  }));
  return { without, didYouMean, closest };
}

const listStart = '{"data":[';
const comma = Buffer.from(',');

/** The JSON body of a single event. */
export function toEventItemJson(
  event: MarqueeEvent,
  { generatedAt, signedUrls }: SnapshotPart,
): string {
  const data = toPublished(event, signedUrls);
  return `${JSON.stringify({ data, meta: { generatedAt } })}\n`;
}

// Events written since the last read, as bytes: queries differ more than the events that they match.
const writtenByRead = new WeakMap<SignedUrlsById, Map<MarqueeEvent, Uint8Array>>();

function toEventJson(event: MarqueeEvent, signedUrls: SignedUrlsById): Uint8Array {
  const written = writtenByRead.get(signedUrls) ?? new Map<MarqueeEvent, Uint8Array>();
  writtenByRead.set(signedUrls, written);
  const json = written.get(event) ?? Buffer.from(JSON.stringify(toPublished(event, signedUrls)));
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
