import { type Color, converter, formatHex, parse, type Rgb, wcagContrast } from 'culori';

/** Colours that an event asks for, as CSS. */
export type CardLook = Readonly<{ background: string; text: string; accent: string }>;

/** Colours that a card is drawn in: text on the ground, or on the scrim over a picture, is at least 4.5:1. */
export type CardColors = Readonly<{ ground: string; text: string; accent: string }>;

/** How much of a picture the scrim behind the text hides. */
export const scrimOpacity = 0.86;

/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5;

const ink = '#101014';
const paper = '#ffffff';
const toRgb = converter('rgb');

/**
 * Keeps the colours that were asked for where they can be read, else moves the text to black or white,
 * and where not even that helps, the scrim to ink.
 * @param hasPicture over a picture the ground is a scrim: whatever shines through has to be reckoned with.
 */
export function toCardColors(look: CardLook, hasPicture: boolean): CardColors {
  const ground = toOpaque(look.background, ink);
  const accent = toOpaque(look.accent, paper);
  const behind = hasPicture ? [mix(ground, '#ffffff'), mix(ground, '#000000')] : [ground];
  const wanted = toOpaque(look.text, paper);
  const text = [wanted, paper, ink].find((one) =>
    behind.every((color) => wcagContrast(one, color) >= contrastMin),
  );
  if (text !== undefined) return { ground, text, accent };
  return { ground: ink, text: paper, accent };
}

function mix(over: string, under: string): string {
  const [top, bottom] = [readRgb(over), readRgb(under)];
  const blend = (channel: 'r' | 'g' | 'b') =>
    top[channel] * scrimOpacity + bottom[channel] * (1 - scrimOpacity);
  return formatHex({ mode: 'rgb', r: blend('r'), g: blend('g'), b: blend('b') });
}

function toOpaque(text: string, fallback: string): string {
  const color: Color | undefined = parse(text);
  return color === undefined ? fallback : formatHex({ ...color, alpha: 1 });
}

function readRgb(hex: string): Rgb {
  return toRgb(hex) ?? { mode: 'rgb', r: 0, g: 0, b: 0 };
}
