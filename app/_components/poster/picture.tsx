import type { CSSProperties } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toPicturePlaceholder } from '#lib/theming/picture-placeholder.ts';
import { toPictureSources } from '#lib/theming/picture-sources.ts';

/**
 * How soon a picture is needed: before all others, which is for the one that a page shows largest; with
 * the page, after that one; or when a visitor comes near it.
 */
export type Urgency = 'first' | 'soon' | 'later';

type PictureProps = Readonly<{
  picture: NonNullable<MarqueeEvent['pictures']['logo']>;
  /** How wide it is drawn, as in the `sizes` attribute, and mostly, in CSS pixels. */
  sizes: string;
  width: number;
  className: string;
  urgency: Urgency;
  /** Whether it fills its frame, so that a blurred one can stand in until it is there. */
  isFilling: boolean;
}>;

/**
 * A picture of an event, in the width that the screen needs. All of them are decoration: the name
 * stands beside them, so they have no alternative text, and one that cannot be had leaves its event's
 * colour to see.
 */
export function Picture(props: PictureProps) {
  const { picture, sizes, width, className, urgency, isFilling } = props;
  const style = isFilling ? toPlaceholderStyle(picture.thumbHash) : null;
  return (
    // biome-ignore lint/performance/noImgElement: pictures come right-sized from an address of our own.
    <img
      className={className}
      sizes={sizes}
      {...toPictureSources({ ...picture, url: toPath(picture.url) }, width)}
      alt=""
      {...(style && { style })}
      decoding="async"
      loading={urgency === 'later' ? 'lazy' : 'eager'}
      {...(urgency !== 'later' && { fetchPriority: urgency === 'first' ? 'high' : 'low' })}
    />
  );
}

function toPlaceholderStyle(thumbHash: string | null): CSSProperties | null {
  const placeholder = thumbHash === null ? null : toPicturePlaceholder(thumbHash);
  if (!placeholder?.isOpaque) return null;
  return { background: placeholder.gradient };
}

// Pages ask the server that sent them, whatever its public name is.
function toPath(url: string): string {
  return new URL(url).pathname;
}
