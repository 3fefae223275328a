import type { CSSProperties } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';

type ThemedEvent = Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>;

/** The background and text of an event's poster: a readable pair. Without a poster, those of the site apply. */
export function toPosterColors(event: ThemedEvent): CSSProperties {
  const theme = toPosterTheme(event);
  if (theme === null) return {};
  const properties = toPosterProperties(theme);
  return {
    '--poster-background': properties['--poster-background'],
    '--poster-text': properties['--poster-text'],
  };
}
