import type { CSSProperties, ReactNode } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { toHex } from '#lib/representations/theming/color.ts';
import { toLogoPlate } from '#lib/representations/theming/logo-plate.ts';
import { toPosterSize } from '#lib/representations/theming/poster-size.ts';
import {
  hasPicture,
  type PosterTheme,
  toPosterProperties,
  toPosterTheme,
} from '#lib/representations/theming/poster-theme.ts';
import { Picture, type Urgency } from './picture.tsx';
import './poster.css';
import './poster-looks.css';

type PosterProps = Readonly<{
  event: DirectoryEvent;
  className: string;
  /** The `sizes` attribute of its picture. */
  sizes: string;
  urgency: Urgency;
  /** The block with its date, above everything else. */
  when?: ReactNode;
  /** The heading with its name, and what follows it. */
  children: ReactNode;
}>;

/** An event's poster in its own colours, or in the site's where it has none. */
export function Poster({ event, className, sizes, urgency, when, children }: PosterProps) {
  // An event that is over has the muted colours of the site.
  const theme = event.status === 'ended' ? null : toPosterTheme(event);
  const { logo, background } = event.pictures;
  const picture = hasPicture(event) ? background : null;
  return (
    <div
      className={`poster ${className}`}
      data-logo={logo ? '' : undefined}
      data-status={event.status}
      data-look={picture ? 'picture' : theme === null ? 'plain' : 'color'}
      {...toTextAttributes(event)}
      style={toPosterStyle(event, theme)}
    >
      {picture && (
        <Picture
          className="poster-picture"
          picture={picture}
          sizes={sizes}
          width={640}
          urgency={urgency}
          isFilling
        />
      )}
      {when}
      {logo && (
        <div className="poster-top" {...toPlate(logo.thumbHash, theme, picture !== null)}>
          <Picture
            className="poster-logo"
            picture={logo}
            sizes="9rem"
            width={160}
            // The background is larger, so it loads first.
            urgency={urgency === 'first' && picture ? 'soon' : urgency}
            isFilling={false}
          />
        </div>
      )}
      <div className="poster-body">{children}</div>
    </div>
  );
}

function toPosterStyle(event: DirectoryEvent, theme: PosterTheme | null): CSSProperties {
  const size = toPosterSize(event);
  return {
    ...(theme && toPosterProperties(theme)),
    '--transition-name': `poster-${event.id}`,
    '--height': `${size.height}rem`,
    '--name-size': `${size.nameSize}cqi`,
    '--name-size-wide': `${size.wideNameSize}cqi`,
    '--name-width': `${size.nameWidth}em`,
    '--name-width-wide': `${size.wideNameWidth}em`,
    '--name-stretch': `${size.nameStretch}%`,
  };
}

function toPlate(thumbHash: string | null, theme: PosterTheme | null, isOnPicture: boolean) {
  const colors = theme === null ? [] : [theme.background, theme.text];
  const plate = toLogoPlate(thumbHash, { colors, isOnPicture });
  return plate && { 'data-plate': '', style: { background: toHex(plate) } };
}
