import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { AttachmentOrigin } from '#lib/events/model/schema.ts';

/** For an event without a colour: a grey that works on light and dark. */
const defaultColor = '#8a8894';
const longerSide = 32;

const cache = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: 500 });

/** Draws a small PNG in the event's colour, with the proportions of the picture that is unavailable. */
export function drawPlaceholder(origin: AttachmentOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const color = origin.color ?? defaultColor;
  const { width, height } = toSize(origin);
  const key = `${color} ${width}x${height}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const drawing = sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer()
    .then((bytes) => Uint8Array.from(bytes));
  cache.set(key, drawing);
  return drawing;
}

function toSize({ width, height }: AttachmentOrigin) {
  const scale = longerSide / Math.max(width ?? 1, height ?? 1);
  const toSide = (side: number | null) => Math.max(1, Math.round((side ?? 1) * scale));
  return { width: toSide(width), height: toSide(height) };
}
