import type { CSSProperties } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  toPicturePlaceholder,
  toPictureSources,
} from '#lib/representations/theming/picture-placeholder.ts';

/**
 * When a picture loads: `first` is the largest one of a page, `soon` are others above the fold, `later`
 * ones load lazily.
 */
export type Urgency = 'first' | 'soon' | 'later';

type PictureProps = Readonly<{
  picture: NonNullable<MarqueeEvent['pictures']['logo']>;
  /** The `sizes` attribute. */
  sizes: string;
  /** The usual width in CSS pixels. */
  width: number;
  className: string;
  urgency: Urgency;
  /** Whether it fills its frame, so that a blurred placeholder fits. */
  isFilling: boolean;
}>;

/** A picture of an event, in the width that the screen needs. Decorative: the event's name is beside it. */
export function Picture(props: PictureProps) {
  const { picture, sizes, width, className, urgency, isFilling } = props;
  const style = isFilling ? toPlaceholderStyle(picture.thumbHash) : null;
  return (
    // biome-ignore lint/performance/noImgElement: our media route resizes pictures.
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

// Pages load pictures from their own origin, whatever the public URL of the site is.
function toPath(url: string): string {
  return new URL(url).pathname;
}
