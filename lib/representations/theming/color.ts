/** An opaque colour: red, green and blue, 0–255 each, in sRGB. */
export type Color = readonly [red: number, green: number, blue: number];

export const black: Color = [0, 0, 0];
export const white: Color = [255, 255, 255];

/**
 * Parses `#rrggbb` or `#rrggbbaa`. A translucent colour is blended with the one below, so that contrast is
 * computed from the visible colour.
 * @returns null for anything else.
 */
export function parseHexColor(text: string, below: Color = white): Color | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/i.exec(text);
  if (match === null) return null;
  const [red, green, blue, alpha = 255] = match.slice(1).map(parseChannel);
  return mixColors(below, [red ?? 0, green ?? 0, blue ?? 0], alpha / 255);
}

/** Serializes a colour as `#rrggbb`. */
export function toHex(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes `share` (0–1) of `to` into `from`. */
export function mixColors(from: Color, to: Color, share: number): Color {
  const mix = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
}

/** The contrast ratio of two colours, 1–21 (WCAG 2.2). */
export function toContrast(color: Color, background: Color): number {
  const [a, b] = [toLuminance(color), toLuminance(background)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// WCAG 2.2, relative luminance.
function toLuminance([red, green, blue]: Color): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function parseChannel(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** The contrast that text of any size needs (WCAG 2.2, 1.4.3). */
const contrastMin = 4.5;

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

/** Of a scrim: pictures would distract, whatever the contrast. */
const opacityMin = 0.86;

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
 */
export function toScrim(text: Color, tint: Color): Scrim {
  for (let step = Math.ceil(opacityMin * steps); step < steps; step++) {
    const scrim = createScrim(tint, step / steps);
    if (scrim.extremes.every((extreme) => toContrast(text, extreme) >= contrastMin)) return scrim;
  }
  return createScrim(tint, 1);
}

function createScrim(tint: Color, opacity: number): Scrim {
  return { opacity, extremes: [mixColors(black, tint, opacity), mixColors(white, tint, opacity)] };
}
