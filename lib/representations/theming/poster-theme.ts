import type { EventTheme, MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  black,
  type Color,
  parseHexColor,
  type Scrim,
  toContrast,
  toHex,
  toReadableAccent,
  toReadableColor,
  toScrim,
  white,
} from './color.ts';

/** The colours and sizes of an event's poster. All text has a contrast of at least 4.5:1. */
export type PosterTheme = Readonly<{
  background: Color;
  text: Color;
  /** For small emphasized text. */
  accent: Color;
  /** Between the picture and the text of an Open Graph image; null without a picture. */
  scrim: Scrim | null;
  /** Height in CSS pixels. */
  logoSize: number;
  button: Readonly<{
    color: Color;
    text: Color;
    borderColor: Color;
    /** In CSS pixels. */
    borderWidth: number;
    borderRadius: number;
  }>;
}>;

type ThemedEvent = Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>;

const bounds = { logoSize: [48, 176], borderWidth: [0, 6], borderRadius: [0, 32] } as const;
const defaultLogoSize = 104;
const darkBackground: Color = [27, 27, 30];

/** Below this contrast a button does not stand out from the background. */
const shapeContrastMin = 1.4;

/**
 * Creates the theme of an event's poster, with adjusted colours where they would be unreadable.
 * @returns null for an event without styling of its own.
 */
export function toPosterTheme(event: ThemedEvent): PosterTheme | null {
  const { theme } = event;
  if (event.background === null && theme === null) return null;
  const wantedText = theme === null ? null : parseHexColor(theme.text);
  const background = parseBackground(event.background?.color) ?? toBackgroundFor(wantedText);
  const text = toReadableColor(wantedText ?? toStrongest(background), background);
  const scrim = hasPicture(event) ? toScrim(text, background) : null;
  const backgrounds = scrim === null ? [background] : scrim.extremes;
  const accent = theme === null ? null : parseHexColor(theme.accent, background);
  return {
    background,
    text,
    accent: toReadableAccent(text, accent ?? text, backgrounds),
    scrim,
    logoSize: clamp(theme?.logoSize ?? defaultLogoSize, bounds.logoSize),
    button: toButton(theme?.button ?? null, { background, text }),
  };
}

/** Whether an event's poster has a background picture. */
export function hasPicture({
  background,
  pictures,
}: Pick<MarqueeEvent, 'background' | 'pictures'>): boolean {
  return background?.type === 'image' && pictures.background !== null;
}

/**
 * A theme as CSS custom properties for a `style` attribute, without the style sheet's defaults (accent and
 * button in the text colour, button text in the background colour). All values are serialized from parsed
 * colours and numbers, so the table cannot inject CSS.
 */
export function toPosterProperties(theme: PosterTheme): Record<`--poster-${string}`, string> {
  const { background, text, accent, logoSize, button } = theme;
  const isSame = (a: Color, b: Color) => toHex(a) === toHex(b);
  return {
    '--poster-background': toHex(background),
    '--poster-text': toHex(text),
    ...(!isSame(accent, text) && { '--poster-accent': toHex(accent) }),
    '--poster-logo-size': `${logoSize}px`,
    ...(!isSame(button.color, text) && { '--poster-button': toHex(button.color) }),
    ...(!isSame(button.text, background) && { '--poster-button-text': toHex(button.text) }),
    ...(button.borderWidth > 0 && {
      '--poster-button-edge': toHex(button.borderColor),
      '--poster-button-width': `${button.borderWidth}px`,
    }),
    ...(button.borderRadius > 0 && { '--poster-button-radius': `${button.borderRadius}px` }),
  };
}

type PosterColors = Readonly<{ background: Color; text: Color }>;

function toButton(
  button: EventTheme['button'] | null,
  { background, text }: PosterColors,
): PosterTheme['button'] {
  const color = (button && parseHexColor(button.color, background)) ?? text;
  const wantedText = (button && parseHexColor(button.textColor, color)) ?? background;
  const width = clamp(button?.borderWidth ?? 0, bounds.borderWidth);
  const readable = toReadableColor(wantedText, color);
  // A button in the background colour needs a border to be visible.
  const isVisible = width > 0 || toContrast(color, background) >= shapeContrastMin;
  return {
    color,
    text: readable,
    borderColor: (isVisible && button && parseHexColor(button.borderColor, background)) || readable,
    borderWidth: isVisible ? width : 2,
    borderRadius: clamp(button?.borderRadius ?? 0, bounds.borderRadius),
  };
}

function parseBackground(color: string | undefined): Color | null {
  return color === undefined ? null : parseHexColor(color);
}

function toBackgroundFor(text: Color | null): Color {
  return text !== null && toContrast(text, white) >= toContrast(text, darkBackground)
    ? white
    : darkBackground;
}

function toStrongest(background: Color): Color {
  return toContrast(white, background) >= toContrast(black, background) ? white : black;
}

function clamp(value: number, [min, max]: readonly [number, number]): number {
  return Number.isFinite(value) ? Math.round(Math.min(Math.max(value, min), max)) : min;
}
