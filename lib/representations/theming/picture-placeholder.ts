import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import type { Picture } from '#lib/events/model/schema.ts';

/** What is shown while a picture loads. */
type PicturePlaceholder = Readonly<{
  /** Whether the picture is opaque, so that it hides the placeholder once loaded. */
  isOpaque: boolean;
  /** A vertical CSS gradient of the picture's colours; a fifth of the size of a blurred bitmap. */
  gradient: string;
}>;

/** Number of colours in a gradient. */
const stops = 3;

const cache = new Map<string, PicturePlaceholder>();
const cacheEntriesMax = 2000;

/**
 * Creates a placeholder from a ThumbHash; also runs in browsers.
 * @param thumbHash in base64, as in `Picture`.
 * @returns null for an invalid ThumbHash.
 */
export function toPicturePlaceholder(thumbHash: string): PicturePlaceholder | null {
  const cached = cache.get(thumbHash);
  if (cached !== undefined) return cached;
  const hash = decodeThumbHash(thumbHash);
  if (hash === null) return null;
  const { a: alpha } = thumbHashToAverageRGBA(hash);
  const placeholder = { isOpaque: toByte(alpha * 255) === 255, gradient: toGradient(hash) };
  if (cache.size >= cacheEntriesMax) cache.clear();
  cache.set(thumbHash, placeholder);
  return placeholder;
}

/** Decodes a ThumbHash in base64; null for anything else. The shortest has 5 bytes. */
export function decodeThumbHash(text: string): Uint8Array | null {
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
  return `#${sums.map((sum) => toHexByte((sum * 4) / rgba.length)).join('')}`;
}

function toHexByte(value: number): string {
  return toByte(value).toString(16).padStart(2, '0');
}

function toByte(value: number): number {
  return Math.round(Math.min(Math.max(value || 0, 0), 255));
}

/** The widths in which pictures are served, in pixels: few, so that they are cached well. */
export const pictureWidths = [96, 160, 320, 480, 640, 960, 1280, 1920] as const;

/** Attributes of an `<img>`; no `srcSet` while the size of the picture is unknown. */
type PictureSources = Readonly<{
  src: string;
  srcSet?: string;
  width?: number;
  height?: number;
}>;

/**
 * The URLs of a picture for an `<img>`, up to its own width. The page adds `sizes`, `alt` and `loading`.
 * @param width the usual width in CSS pixels, which `src` has. `srcset` offers from half of it to three
 *   times as much, for device pixel ratios up to 3.
 */
export function toPictureSources(picture: Picture, width: number): PictureSources {
  const { url, width: fullWidth, height } = picture;
  const src = `${url}?w=${toServedWidth(Math.min(width, fullWidth ?? width))}`;
  if (fullWidth === null || height === null) return { src };
  const [least, most] = [toServedWidth(width / 2), toServedWidth(width * 3)];
  const wanted = pictureWidths.filter((width) => width >= least && width <= most);
  const candidates = wanted
    .filter((width) => width < fullWidth)
    .map((width) => `${url}?w=${width} ${width}w`);
  if (candidates.length < wanted.length) {
    // A larger `w` gives the picture's own width, since pictures are never enlarged.
    candidates.push(`${url}?w=${toServedWidth(fullWidth)} ${fullWidth}w`);
  }
  return { src, srcSet: candidates.join(', '), width: fullWidth, height };
}

/** The smallest served width that is at least `width`, or else the largest. */
export function toServedWidth(width: number): number {
  return (
    pictureWidths.find((pictureWidth) => pictureWidth >= width) ??
    pictureWidths[pictureWidths.length - 1] ??
    1
  );
}
