import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';

/** An `<iframe>` with an embed. */
export type EmbedFrame = Readonly<{
  src: string;
  title: string;
  width: number | '100%';
  height: number;
}>;

/** In CSS pixels: header and footer, and one event. */
const frameHeight = 84;
const eventHeight = 82;

/** The height of an embed with this many events, if their names are not long. */
export function toFrameHeight(count: number): number {
  return frameHeight + count * eventHeight;
}

/** The HTML that people paste into their own pages. */
export function toFrameHtml({ src, title, width, height }: EmbedFrame): string {
  const style = 'border:0;max-width:100%';
  const frame = h('iframe', { src, title, width, height, style, loading: 'lazy' });
  return toHtml(frame, { characterReferences: { useNamedReferences: true } });
}
