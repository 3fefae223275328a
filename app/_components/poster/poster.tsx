import type { ReactNode } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { toPosterFormat } from '#lib/theming/poster-size.ts';
import { hasPicture, toPosterProperties, toPosterTheme } from '#lib/theming/poster-theme.ts';
import { Picture, type Urgency } from './picture.tsx';
import './poster.css';

type PosterProps = Readonly<{
  event: DirectoryEvent;
  className: string;
  /** How wide its picture is drawn, as in the `sizes` attribute. */
  sizes: string;
  /** How soon its picture is needed. */
  urgency: Urgency;
  /** The heading that holds its name, and what stands below it. */
  children: ReactNode;
}>;

/** An event's poster in its own colours; one without a look of its own wears those of the house. */
export function Poster({ event, className, sizes, urgency, children }: PosterProps) {
  const theme = toPosterTheme(event);
  const format = toPosterFormat(event);
  const { logo, background } = event.pictures;
  const picture = hasPicture(event) ? background : null;
  return (
    <div
      className={`poster ${className}`}
      data-logo={logo ? '' : undefined}
      data-look={picture ? 'picture' : theme === null ? 'plain' : 'color'}
      style={{
        ...(theme && toPosterProperties(theme)),
        '--name-size': `${format.nameSize}cqi`,
        '--name-size-wide': `${format.wideNameSize}cqi`,
        '--name-stretch': `${format.nameStretch}%`,
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
            // A picture behind it is larger, and so comes first.
            urgency={urgency === 'first' && picture ? 'soon' : urgency}
            isFilling={false}
          />
        </div>
      )}
      <div className="poster-body">{children}</div>
    </div>
  );
}
