import { type Color, toHex } from './color.ts';

/**
 * The average colour of a picture, to show until it is there: the first three bytes of its ThumbHash
 * (https://evanw.github.io/thumbhash/), which hold lightness and two differences of colour.
 * @param thumbHash in base64.
 * @returns `#rrggbb`, or null where the text is no such hash.
 */
export function toAverageColor(thumbHash: string): string | null {
  if (!/^[\w+/-]{6,}={0,2}$/.test(thumbHash)) return null;
  const bytes = atob(thumbHash.slice(0, 4).replaceAll('-', '+').replaceAll('_', '/'));
  const head = [0, 1, 2].reduce((sum, at) => sum | (bytes.charCodeAt(at) << (8 * at)), 0);
  const lightness = (head & 63) / 63;
  const yellowBlue = ((head >> 6) & 63) / 31.5 - 1;
  const redGreen = ((head >> 12) & 63) / 31.5 - 1;
  const blue = lightness - (2 / 3) * yellowBlue;
  const red = (3 * lightness - blue + redGreen) / 2;
  const color: Color = [toChannel(red), toChannel(red - redGreen), toChannel(blue)];
  return toHex(color);
}

function toChannel(share: number): number {
  return Math.round(255 * Math.min(1, Math.max(0, share)));
}
