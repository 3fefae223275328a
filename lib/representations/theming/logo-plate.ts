import { thumbHashToRGBA } from 'thumbhash';
import { black, type Color, toContrast, white } from './color.ts';
import { decodeThumbHash } from './picture-placeholder.ts';

/** Below this contrast with what is behind them, parts of a logo are hard to see. */
const contrastMin = 1.35;
/** The share of a logo that may be hard to see. */
const hiddenShareMax = 0.4;
/** A logo that covers this share of its box is a tile or a disc: it brings its own plate. */
const tileCoverage = 0.68;
/** Alpha, 0–255, from which a pixel belongs to the logo. */
const alphaMin = 128;

type LogoGround = Readonly<{
  /** The colours of the poster, the preferred plate first. */
  colors: readonly Color[];
  /** Whether there is a picture behind the logo. */
  isOnPicture: boolean;
}>;

/**
 * The colour of the plate that a logo needs so that it does not melt into its poster; null if it needs none.
 * @param thumbHash of the logo, in base64; null if unknown.
 */
export function toLogoPlate(
  thumbHash: string | null,
  { colors, isOnPicture }: LogoGround,
): Color | null {
  // A picture that is not known yet may hide any logo.
  if (thumbHash === null) return isOnPicture ? (colors[0] ?? null) : null;
  const logo = readLogo(thumbHash);
  if (logo === null || logo.coverage >= tileCoverage || logo.coverage === 0) return null;
  const [background] = colors;
  const isVisible = background !== undefined && toHiddenShare(logo, background) <= hiddenShareMax;
  if (!isOnPicture && isVisible) return null;
  const grounds = [...colors, white, black];
  const shares = grounds.map((ground) => toHiddenShare(logo, ground));
  return grounds[shares.indexOf(Math.min(...shares))] ?? white;
}

type Logo = Readonly<{ pixels: readonly Color[]; coverage: number }>;

function toHiddenShare({ pixels }: Logo, ground: Color): number {
  const hidden = pixels.filter((pixel) => toContrast(pixel, ground) < contrastMin);
  return hidden.length / pixels.length;
}

function readLogo(thumbHash: string): Logo | null {
  const hash = decodeThumbHash(thumbHash);
  if (hash === null) return null;
  const { rgba } = thumbHashToRGBA(hash);
  const pixels: Color[] = [];
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha >= alphaMin) pixels.push([red, green, blue]);
  }
  return { pixels, coverage: (pixels.length * 4) / rgba.length };
}
