import { thumbHashToRGBA } from 'thumbhash';
import { black, type Color, toContrast, white } from './color.ts';
import { decodeThumbHash } from './picture-placeholder.ts';

/** Below this contrast with what is behind them, parts of a logo are hard to see. */
const contrastMin = 1.6;
/** The share of a logo that may be hard to see. */
const hiddenShareMax = 0.4;
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
  const pixels = thumbHash === null ? null : readPixels(thumbHash);
  // An opaque logo brings its own background.
  if (pixels === null || pixels.isOpaque || pixels.colors.length === 0) return null;
  const isVisibleOn = (ground: Color) => {
    const hidden = pixels.colors.filter((color) => toContrast(color, ground) < contrastMin);
    return hidden.length / pixels.colors.length <= hiddenShareMax;
  };
  const [background] = colors;
  if (!isOnPicture && background !== undefined && isVisibleOn(background)) return null;
  return [...colors, white].find(isVisibleOn) ?? black;
}

function readPixels(thumbHash: string): { colors: Color[]; isOpaque: boolean } | null {
  const hash = decodeThumbHash(thumbHash);
  if (hash === null) return null;
  const { rgba } = thumbHashToRGBA(hash);
  const colors: Color[] = [];
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha >= alphaMin) colors.push([red, green, blue]);
  }
  return { colors, isOpaque: colors.length === rgba.length / 4 };
}
