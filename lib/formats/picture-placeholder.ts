import { rgbaToDataURL, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';

/** What stands where a picture will be. */
export type PicturePlaceholder = Readonly<{
  /** The picture's average colour, as `#rrggbbaa`. */
  color: string;
  /** The picture in a few blurred pixels, a `data:` address of about 400 characters; to be stretched smoothly. */
  dataUri: string;
}>;

/** Pixels on the longer side: a browser blurs them as it stretches them, so more would show nothing more. */
const sideMax = 8;

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
  const placeholder = { color: toAverageColor(hash), dataUri: toDataUri(hash) };
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

function toAverageColor(hash: Uint8Array): string {
  const { r, g, b, a } = thumbHashToAverageRGBA(hash);
  return `#${[r, g, b, a].map(toHex).join('')}`;
}

function toHex(share: number): string {
  const byte = Math.round(Math.min(Math.max(share || 0, 0), 1) * 255);
  return byte.toString(16).padStart(2, '0');
}

function toDataUri(hash: Uint8Array): string {
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const scale = sideMax / Math.max(w, h);
  const [width, height] = [toSide(w * scale), toSide(h * scale)];
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.floor(((y + 0.5) * h) / height) * w + Math.floor(((x + 0.5) * w) / width);
      pixels.set(rgba.subarray(from * 4, from * 4 + 4), (y * width + x) * 4);
    }
  }
  return rgbaToDataURL(width, height, pixels);
}

function toSide(length: number): number {
  return Math.max(1, Math.round(length));
}
