import type { Picture } from '#lib/events/model/schema.ts';

/** The widths that pictures are served in, in pixels: few, so that each is made once and kept everywhere. */
export const pictureWidths = [96, 160, 320, 480, 640, 960, 1280, 1920] as const;

/** What an `<img>` needs; without a `srcSet` where nobody knows yet how wide the picture is. */
export type PictureSources = Readonly<{
  src: string;
  srcSet?: string;
  width?: number;
  height?: number;
}>;

/**
 * The addresses of a picture for an `<img>`: the widths that screens may want of it, up to its own. The
 * page adds `sizes`, `alt` and `loading`.
 * @param width CSS pixels that it is mostly shown in: what a browser without `srcset` loads. Offered is
 *   from half of it to three times as much, for screens with as many pixels to one of CSS.
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
    // A width above the picture's own gives its own: no picture is enlarged.
    candidates.push(`${url}?w=${toServedWidth(fullWidth)} ${fullWidth}w`);
  }
  return { src, srcSet: candidates.join(', '), width: fullWidth, height };
}

/** The narrowest width that is served and not below this one; the widest where there is none. */
export function toServedWidth(width: number): number {
  return pictureWidths.find((one) => one >= width) ?? pictureWidths[pictureWidths.length - 1] ?? 1;
}
