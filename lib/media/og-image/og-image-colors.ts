import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toHex } from '#lib/theming/color.ts';
import { toPosterTheme } from '#lib/theming/poster-theme.ts';

/** Colours that a card is drawn in, those of the event's poster: every text on it reaches 4.5:1. */
export type CardColors = Readonly<{
  ground: string;
  text: string;
  accent: string;
  /** How much of a picture the scrim behind the text hides, 0–1. */
  cover: number;
}>;

/** Of an event that has no look of its own. */
const plain: CardColors = { ground: '#1f2430', text: '#ffffff', accent: '#ffb454', cover: 1 };

/** Takes an event's colours from where its poster has them. */
export function toCardColors(
  event: Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>,
): CardColors {
  const theme = toPosterTheme(event);
  if (theme === null) return plain;
  const { ground, text, accent, scrim } = theme;
  return {
    ...{ ground: toHex(ground), text: toHex(text), accent: toHex(accent) },
    cover: scrim?.cover ?? plain.cover,
  };
}
