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
export function toContrast(one: Color, other: Color): number {
  const [a, b] = [toLuminance(one), toLuminance(other)];
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
