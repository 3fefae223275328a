import type { MarqueeEvent } from '#lib/events/schema.ts';
import { toPictureSources } from '#lib/formats/picture-sources.ts';
import { toAverageColor } from '#lib/theming/thumb-hash.ts';

type PictureProps = Readonly<{
  picture: NonNullable<MarqueeEvent['pictures']['logo']>;
  /** How wide it is drawn, as in the `sizes` attribute, and mostly, in CSS pixels. */
  sizes: string;
  width: number;
  className: string;
  /** Whether it is among the first things that a visitor sees. */
  isFirst: boolean;
  /** Whether it fills its frame, so that its average colour can stand in until it is there. */
  isFilling: boolean;
}>;

/**
 * A picture of an event, in the width that the screen needs. All of them are decoration: the name
 * stands beside them, so they have no alternative text, and one that cannot be had leaves its event's
 * colour to see.
 */
export function Picture(props: PictureProps) {
  const { picture, sizes, width, className, isFirst, isFilling } = props;
  const color = isFilling && picture.thumbHash !== null ? toAverageColor(picture.thumbHash) : null;
  return (
    // biome-ignore lint/performance/noImgElement: pictures come right-sized from an address of our own.
    <img
      className={className}
      sizes={sizes}
      {...toPictureSources({ ...picture, url: toPath(picture.url) }, width)}
      alt=""
      {...(color && { style: { backgroundColor: color } })}
      decoding="async"
      loading={isFirst ? 'eager' : 'lazy'}
      {...(isFirst && { fetchPriority: 'high' })}
    />
  );
}

// Pages ask the server that sent them, whatever its public name is.
function toPath(url: string): string {
  return new URL(url).pathname;
}
