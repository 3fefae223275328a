type PictureProps = Readonly<{
  url: string;
  width?: number | null;
  height?: number | null;
  /** How wide it is drawn, as in the `sizes` attribute. */
  sizes: string;
  className: string;
  /** Whether it is among the first things that a visitor sees. */
  isFirst?: boolean;
}>;

/**
 * A picture of an event. All of them are decoration: the name stands beside them, so they have no
 * alternative text, and one that cannot be had leaves its event's colour to see.
 */
export function Picture({ url, width, height, sizes, className, isFirst = false }: PictureProps) {
  return (
    // biome-ignore lint/performance/noImgElement: pictures come right-sized from an address of our own.
    <img
      className={className}
      src={url}
      sizes={sizes}
      {...(width && height ? { width, height } : {})}
      alt=""
      decoding="async"
      loading={isFirst ? 'eager' : 'lazy'}
      {...(isFirst && { fetchPriority: 'high' })}
    />
  );
}
