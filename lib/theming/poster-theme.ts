import type { EventTheme, MarqueeEvent } from '#lib/events/model/schema.ts';
import { black, type Color, parseColor, toContrast, toHex, white } from './color.ts';
import { type Scrim, toReadable, toReadableLike, toScrim } from './readable-color.ts';

/** How an event is painted: every text in it reaches 4.5:1, whatever colours its table holds. */
export type PosterTheme = Readonly<{
  ground: Color;
  text: Color;
  /** For small words that stand out; readable as text. */
  accent: Color;
  /** Lies between the picture and the text; null where there is no picture. */
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

type Painted = Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>;

const bounds = { logoSize: [48, 176], borderWidth: [0, 6], borderRadius: [0, 32] } as const;
const usualLogoSize = 104;
const darkGround: Color = [27, 27, 30];

/** Below this a shape cannot be told from what it lies on. */
const shapeContrastMin = 1.4;

/** Reads how an event wants to look, and mends it where nobody could read it. Null: it has no look of its own. */
export function toPosterTheme(event: Painted): PosterTheme | null {
  const { background, theme } = event;
  if (background === null && theme === null) return null;
  const wantedText = theme === null ? null : parseColor(theme.text);
  const ground = parseGround(background?.color) ?? toGroundBelow(wantedText);
  const text = toReadable(wantedText ?? toStrongest(ground), ground);
  const scrim = hasPicture(event) ? toScrim(text, ground) : null;
  const grounds = scrim === null ? [ground] : scrim.extremes;
  const accent = theme === null ? null : parseColor(theme.accent, ground);
  return {
    ground,
    text,
    accent: toReadableLike(text, accent ?? text, grounds),
    scrim,
    logoSize: clamp(theme?.logoSize ?? usualLogoSize, bounds.logoSize),
    button: toButton(theme?.button ?? null, { ground, text }),
  };
}

/** Whether an event's poster is painted on a picture. */
export function hasPicture({
  background,
  pictures,
}: Pick<MarqueeEvent, 'background' | 'pictures'>): boolean {
  return background?.type === 'image' && pictures.background !== null;
}

/**
 * A theme as CSS custom properties for a `style` attribute; what the style sheet takes by itself is left
 * out: an accent and a button in the text's colour, words on the button in the ground's. Values are colours and numbers that were
 * parsed here: nothing of what a table holds gets into a style as it is.
 */
export function toPosterProperties(theme: PosterTheme): Record<`--poster-${string}`, string> {
  const { ground, text, accent, scrim, logoSize, button } = theme;
  const isSame = (one: Color, other: Color) => toHex(one) === toHex(other);
  return {
    '--poster-ground': toHex(ground),
    '--poster-text': toHex(text),
    ...(!isSame(accent, text) && { '--poster-accent': toHex(accent) }),
    ...(scrim && { '--poster-cover': `${Math.round(scrim.cover * 1000) / 10}%` }),
    '--poster-logo-size': `${logoSize}px`,
    ...(!isSame(button.color, text) && { '--poster-button': toHex(button.color) }),
    ...(!isSame(button.text, ground) && { '--poster-button-text': toHex(button.text) }),
    ...(button.borderWidth > 0 && {
      '--poster-button-edge': toHex(button.borderColor),
      '--poster-button-width': `${button.borderWidth}px`,
    }),
    ...(button.borderRadius > 0 && { '--poster-button-radius': `${button.borderRadius}px` }),
  };
}

type Surroundings = Readonly<{ ground: Color; text: Color }>;

function toButton(
  given: EventTheme['button'] | null,
  { ground, text }: Surroundings,
): PosterTheme['button'] {
  const color = (given && parseColor(given.color, ground)) ?? text;
  const wantedText = (given && parseColor(given.textColor, color)) ?? ground;
  const width = clamp(given?.borderWidth ?? 0, bounds.borderWidth);
  const readable = toReadable(wantedText, color);
  // A button in the colour of its ground needs an edge to be one.
  const isSeen = width > 0 || toContrast(color, ground) >= shapeContrastMin;
  return {
    color,
    text: readable,
    borderColor: (isSeen && given && parseColor(given.borderColor, ground)) || readable,
    borderWidth: isSeen ? width : 2,
    borderRadius: clamp(given?.borderRadius ?? 0, bounds.borderRadius),
  };
}

function parseGround(color: string | undefined): Color | null {
  return color === undefined ? null : parseColor(color);
}

function toGroundBelow(text: Color | null): Color {
  return text !== null && toContrast(text, white) >= toContrast(text, darkGround)
    ? white
    : darkGround;
}

function toStrongest(ground: Color): Color {
  return toContrast(white, ground) >= toContrast(black, ground) ? white : black;
}

function clamp(value: number, [min, max]: readonly [number, number]): number {
  return Number.isFinite(value) ? Math.round(Math.min(Math.max(value, min), max)) : min;
}
