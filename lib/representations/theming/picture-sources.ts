import type { Picture } from '#lib/events/model/schema.ts';

/** The widths in which pictures are served, in pixels: few, so that they are cached well. */
export const pictureWidths = [96, 160, 320, 480, 640, 960, 1280, 1920] as const;

/** Attributes of an `<img>`; no `srcSet` while the size of the picture is unknown. */
export type PictureSources = Readonly<{
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
export function toPictureSources(picture: Picture, width = 640): PictureSources {
  const { url, width: fullWidth, height } = picture;
  const src = `${url}?w=${toServedWidth(Math.min(width, fullWidth ?? width))}`;
  if (fullWidth === null || height === null) return { src };
  const [least, most] = [toServedWidth(width / 2), toServedWidth(width * 3)];
  const wanted = pictureWidths.filter((one) => one >= least && one <= most);
  const candidates = wanted
    .filter((one) => one < fullWidth)
    .map((one) => `${url}?w=${one} ${one}w`);
  if (candidates.length < wanted.length) {
    // A larger `w` gives the picture's own width, since pictures are never enlarged.
    candidates.push(`${url}?w=${toServedWidth(fullWidth)} ${fullWidth}w`);
  }
  return { src, srcSet: candidates.join(', '), width: fullWidth, height };
}

/** The smallest served width that is at least `width`, or else the largest. */
export function toServedWidth(width: number): number {
  return pictureWidths.find((one) => one >= width) ?? pictureWidths[pictureWidths.length - 1] ?? 1;
}
