import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';

/** What stands where a picture will be. */
export type PicturePlaceholder = Readonly<{
  /** Whether nothing shines through the picture, so that what stands behind it is gone once it is there. */
  isOpaque: boolean;
  /**
   * The picture as blurred as can be: a CSS gradient from its top to its bottom. A page is full of them
   * before any picture is there, so each has to be small; one of pixels weighs five times as much.
   */
  gradient: string;
}>;

/** Colours of a gradient. */
const stops = 3;

const remembered = new Map<string, PicturePlaceholder>();
const rememberedMax = 2000;

/**
 * Makes a placeholder from a ThumbHash; runs in browsers too.
 * @param thumbHash in base64, as a `Picture` holds it.
 * @returns null for what is no ThumbHash.
 */
export function toPicturePlaceholder(thumbHash: string): PicturePlaceholder | null {
  const known = remembered.get(thumbHash);
  if (known !== undefined) return known;
  const hash = decodeBase64(thumbHash);
  if (hash === null) return null;
  const { a: alpha } = thumbHashToAverageRGBA(hash);
  const placeholder = { isOpaque: toByte(alpha * 255) === 255, gradient: toGradient(hash) };
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(thumbHash, placeholder);
  return placeholder;
}

// A hash of 5 bytes is the shortest there is, and says more than it holds where it was cut.
function decodeBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]{7,40}={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function toGradient(hash: Uint8Array): string {
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const colors = Array.from({ length: stops }, (_, stop) => {
    const [from, to] = [stop, stop + 1].map((edge) => Math.round((edge * h) / stops) * w * 4);
    return toAverage(rgba.subarray(from, to));
  });
  return `linear-gradient(${colors.join()})`;
}

/** The average of pixels in RGBA, as `#rrggbb`. */
function toAverage(rgba: Uint8Array): string {
  const sums = [0, 0, 0];
  rgba.forEach((value, at) => {
    if (at % 4 < 3) sums[at % 4] = (sums[at % 4] ?? 0) + value;
  });
  return `#${sums.map((sum) => toHex((sum * 4) / rgba.length)).join('')}`;
}

function toHex(value: number): string {
  return toByte(value).toString(16).padStart(2, '0');
}

function toByte(value: number): number {
  return Math.round(Math.min(Math.max(value || 0, 0), 255));
}
