import type { ReactNode } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { toPosterSize } from '#lib/theming/poster-size.ts';
import { hasPicture, toPosterProperties, toPosterTheme } from '#lib/theming/poster-theme.ts';
import { Picture, type Urgency } from './picture.tsx';
import './poster.css';

type PosterProps = Readonly<{
  event: DirectoryEvent;
  className: string;
  /** The `sizes` attribute of its picture. */
  sizes: string;
  urgency: Urgency;
  /** The heading with its name, and what follows it. */
  children: ReactNode;
}>;

/** An event's poster in its own colours, or in the site's where it has none. */
export function Poster({ event, className, sizes, urgency, children }: PosterProps) {
  const theme = toPosterTheme(event);
  const size = toPosterSize(event);
  const { logo, background } = event.pictures;
  const picture = hasPicture(event) ? background : null;
  return (
    <div
      className={`poster ${className}`}
      data-logo={logo ? '' : undefined}
      data-look={picture ? 'picture' : theme === null ? 'plain' : 'color'}
      style={{
        ...(theme && toPosterProperties(theme)),
        '--transition-name': `poster-${event.id}`,
        '--name-size': `${size.nameSize}cqi`,
        '--name-size-wide': `${size.wideNameSize}cqi`,
        '--name-stretch': `${size.nameStretch}%`,
      }}
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
      {logo && (
        <div className="poster-top">
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
