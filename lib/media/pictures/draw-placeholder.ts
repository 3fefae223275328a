import sharp from 'sharp';
import type { AttachmentOrigin } from '#lib/events/model/schema.ts';

/** Of an event that has no colour: a grey that is quiet on light and dark. */
const neutral = '#8a8894';
const longerSide = 32;

const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
const drawnMax = 500;

/** A small PNG in an event's colour, with the sides of the picture that it stands for. */
export function drawColor(origin: AttachmentOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const color = origin.color ?? neutral;
  const { width, height } = toSides(origin);
  const key = `${color} ${width}x${height}`;
  const known = drawn.get(key);
  if (known !== undefined) return known;
  if (drawn.size >= drawnMax) drawn.clear();
  const drawing = sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer()
    .then((bytes) => Uint8Array.from(bytes));
  drawn.set(key, drawing);
  return drawing;
}

function toSides({ width, height }: AttachmentOrigin) {
  const scale = longerSide / Math.max(width ?? 1, height ?? 1);
  const toSide = (side: number | null) => Math.max(1, Math.round((side ?? 1) * scale));
  return { width: toSide(width), height: toSide(height) };
}
