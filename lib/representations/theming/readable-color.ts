import { black, type Color, mixColors, toContrast, white } from './color.ts';

/** The contrast that text of any size needs (WCAG 2.2, 1.4.3). */
export const contrastMin = 4.5;

/** Number of steps in which a colour is adjusted. */
const steps = 64;

/**
 * The colour closest to `wanted` with a contrast of 4.5:1 on a background: unchanged, or mixed with black or
 * white, whichever needs less. One of the two always suffices.
 */
export function toReadableColor(wanted: Color, background: Color): Color {
  for (let step = 0; step <= steps; step++) {
    for (const end of [white, black]) {
      const adjusted = mixColors(wanted, end, step / steps);
      if (toContrast(adjusted, background) >= contrastMin) return adjusted;
    }
  }
  return toContrast(white, background) >= contrastMin ? white : black;
}

/**
 * The colour closest to `wanted` with a contrast of 4.5:1 on every background, mixed with the text colour if
 * needed.
 * @param text has a contrast of 4.5:1 on each of `backgrounds`.
 */
export function toReadableAccent(text: Color, wanted: Color, backgrounds: readonly Color[]): Color {
  for (let step = 0; step < steps; step++) {
    const adjusted = mixColors(wanted, text, step / steps);
    if (backgrounds.every((background) => toContrast(adjusted, background) >= contrastMin))
      return adjusted;
  }
  return text;
}

/** A translucent layer between a picture and the text on it. */
export type Scrim = Readonly<{
  /** 0–1. */
  opacity: number;
  /** The colours seen over black and over white pixels; all others lie between them. */
  extremes: readonly [Color, Color];
}>;

/**
 * The most transparent scrim on which a text has a contrast of 4.5:1 over any picture.
 * @param text has a contrast of 4.5:1 on `tint`.
 * @param opacityMin for pictures that would distract, whatever the contrast.
 */
export function toScrim(text: Color, tint: Color, opacityMin = 0.86): Scrim {
  for (let step = Math.ceil(opacityMin * steps); step < steps; step++) {
    const scrim = createScrim(tint, step / steps);
    if (scrim.extremes.every((extreme) => toContrast(text, extreme) >= contrastMin)) return scrim;
  }
  return createScrim(tint, 1);
}

function createScrim(tint: Color, opacity: number): Scrim {
  return { opacity, extremes: [mixColors(black, tint, opacity), mixColors(white, tint, opacity)] };
}
