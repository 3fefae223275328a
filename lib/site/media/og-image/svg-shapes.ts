import { XMLBuilder } from 'fast-xml-parser';
import type { OgImageColors } from './og-image-colors.ts';

/** In pixels; the size that the large link previews of messengers use. */
export const ogImageSize = { width: 1200, height: 630 } as const;

type Shape = Readonly<Record<string, string | number>>;
type Box = Readonly<{ left: number; top: number; width: number; height: number }>;

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true });

/**
 * The background of an image without a picture: a colour and two circles in the accent colour.
 * @param clearFrom y from which on there is only the colour, for the text.
 */
export function toGroundSvg({ ground, accent }: OgImageColors, clearFrom: number): Buffer {
  const center = { x: 1080, y: 40 };
  const outer = Math.max(0, Math.min(330, clearFrom - center.y));
  const circle = (radius: number, opacity: number): Shape => ({
    '@_cx': center.x,
    '@_cy': center.y,
    '@_r': radius,
    '@_fill': accent,
    '@_fill-opacity': opacity,
  });
  return toSvg({
    rect: toRect(wholeImage, ground),
    circle: [circle(outer, 0.22), circle(outer * 0.58, 0.9)],
  });
}

/** A gradient behind the text: transparent at the top, the ground's colour from y = `fullFrom` on. */
export function toScrimSvg({ ground, cover }: OgImageColors, fullFrom: number): Buffer {
  const stop = (y: number, opacity: number): Shape => ({
    '@_offset': Math.max(0, y / ogImageSize.height).toFixed(4),
    '@_stop-color': ground,
    '@_stop-opacity': opacity,
  });
  const gradient = {
    '@_id': 'scrim',
    '@_x1': 0,
    '@_y1': 0,
    '@_x2': 0,
    '@_y2': 1,
    stop: [
      stop(fullFrom - 180, 0),
      stop(fullFrom, cover),
      stop(ogImageSize.height, Math.max(cover, 0.94)),
    ],
  };
  return toSvg({ defs: { linearGradient: gradient }, rect: toRect(wholeImage, 'url(#scrim)') });
}

/** A filled box with rounded corners. */
export function toBoxSvg(box: Box, fill: string, radius: number): Buffer {
  return toSvg({ rect: { ...toRect(box, fill), '@_rx': radius } });
}

/** Coloured boxes, as posters on a wall. */
export function toWallSvg(ground: string, posters: readonly (Box & { fill: string })[]): Buffer {
  const rects = posters.map(({ fill, ...box }) => ({ ...toRect(box, fill), '@_rx': 14 }));
  return toSvg({ rect: [toRect(wholeImage, ground), ...rects] });
}

const wholeImage: Box = { left: 0, top: 0, ...ogImageSize };

function toRect({ left, top, width, height }: Box, fill: string): Shape {
  return { '@_x': left, '@_y': top, '@_width': width, '@_height': height, '@_fill': fill };
}

function toSvg(content: object): Buffer {
  const { width, height } = ogImageSize;
  const root = { '@_xmlns': 'http://www.w3.org/2000/svg', '@_width': width, '@_height': height };
  return Buffer.from(builder.build({ svg: { ...root, ...content } }));
}
