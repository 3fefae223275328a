import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toHex } from '#lib/representations/theming/color.ts';
import { toPosterTheme } from '#lib/representations/theming/poster-theme.ts';

/** Colours of an Open Graph image. Text has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
export type OgImageColors = Readonly<{
  ground: string;
  text: string;
  accent: string;
  /** Opacity of the scrim between picture and text, 0–1. */
  cover: number;
}>;

/** For an event without a theme. */
const defaultColors: OgImageColors = {
  ground: '#1f2430',
  text: '#ffffff',
  accent: '#ffb454',
  cover: 1,
};

/** The colours of the event's poster. */
export function toOgImageColors(
  event: Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>,
): OgImageColors {
  const theme = toPosterTheme(event);
  if (theme === null) return defaultColors;
  const { background, text, accent, scrim } = theme;
  return {
    ground: toHex(background),
    text: toHex(text),
    accent: toHex(accent),
    cover: scrim?.opacity ?? defaultColors.cover,
  };
}
