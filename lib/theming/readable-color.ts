import { black, type Color, mixColors, toContrast, white } from './color.ts';

/** What text needs to be read at any size (WCAG 2.2, 1.4.3). */
export const contrastMin = 4.5;

/** Steps in which a colour is mended: fine enough that the eye sees no more change than is needed. */
const steps = 64;

/**
 * The colour nearest to `wanted` that reaches 4.5:1 on a ground: itself, or mended towards black or
 * white, whichever is less of a change. One of the two always reaches it.
 */
export function toReadable(wanted: Color, ground: Color): Color {
  for (let step = 0; step <= steps; step++) {
    for (const end of [white, black]) {
      const mended = mixColors(wanted, end, step / steps);
      if (toContrast(mended, ground) >= contrastMin) return mended;
    }
  }
  return toContrast(white, ground) >= contrastMin ? white : black;
}

/**
 * The colour nearest to `wanted` that reaches 4.5:1 on every ground, on its way to a text that does.
 * @param text reaches 4.5:1 on each of `grounds`.
 */
export function toReadableLike(text: Color, wanted: Color, grounds: readonly Color[]): Color {
  for (let step = 0; step < steps; step++) {
    const mended = mixColors(wanted, text, step / steps);
    if (grounds.every((ground) => toContrast(mended, ground) >= contrastMin)) return mended;
  }
  return text;
}

/** A tint between a picture and the text on it. */
export type Scrim = Readonly<{
  /** How much of the picture it covers, 0–1. */
  cover: number;
  /** What is seen where the picture is darkest and lightest: every pixel lies between the two. */
  extremes: readonly [Color, Color];
}>;

/**
 * The thinnest scrim of a tint on which a text reaches 4.5:1 whatever picture is below.
 * @param text reaches 4.5:1 on `tint`.
 * @param coverMin thinner than this it would be restless to read on, however high the contrast.
 */
export function toScrim(text: Color, tint: Color, coverMin = 0.86): Scrim {
  for (let step = Math.ceil(coverMin * steps); step < steps; step++) {
    const scrim = createScrim(tint, step / steps);
    if (scrim.extremes.every((extreme) => toContrast(text, extreme) >= contrastMin)) return scrim;
  }
  return createScrim(tint, 1);
}

function createScrim(tint: Color, cover: number): Scrim {
  return { cover, extremes: [mixColors(black, tint, cover), mixColors(white, tint, cover)] };
}
