import { XMLBuilder } from 'fast-xml-parser';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toHex } from '#lib/representations/theming/color.ts';
import { toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import { type DrawnText, drawFittedText, drawText } from './draw-text.ts';

/** In pixels; the size that the large link previews of messengers use. */
const ogImageSize = { width: 1200, height: 630 } as const;

type Shape = Readonly<Record<string, string | number>>;
type Box = Readonly<{ left: number; top: number; width: number; height: number }>;

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true });

/**
 * The background of an image without a picture: a colour and two circles in the accent colour.
 * @param clearFrom y from which on there is only the colour, for the text.
 */
function toGroundSvg({ ground, accent }: OgImageColors, clearFrom: number): Buffer {
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
function toScrimSvg({ ground, cover }: OgImageColors, fullFrom: number): Buffer {
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
function toBoxSvg(box: Box, fill: string, radius: number): Buffer {
  return toSvg({ rect: { ...toRect(box, fill), '@_rx': radius } });
}

/** Coloured boxes, as posters on a wall. */
function toWallSvg(ground: string, posters: readonly (Box & { fill: string })[]): Buffer {
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

/** Colours of an Open Graph image. Text has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
type OgImageColors = Readonly<{
  ground: string;
  text: string;
  accent: string;
  /** Opacity of the scrim between picture and text, 0–1. */
  cover: number;
}>;

/** For an event without a theme. */
const defaultColors: OgImageColors = {
  ground: '#1f2430',
  text: '#ffffff',
  accent: '#ffb454',
  cover: 1,
};

/** The colours of the event's poster. */
export function toOgImageColors(
  event: Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>,
): OgImageColors {
  const theme = toPosterTheme(event);
  if (theme === null) return defaultColors;
  const { background, text, accent, scrim } = theme;
  return {
    ground: toHex(background),
    text: toHex(text),
    accent: toHex(accent),
    cover: scrim?.opacity ?? defaultColors.cover,
  };
}

/** The text and pictures of an event's image. */
type OgImageContent = Readonly<{
  name: string;
  /** One line below the name: date and place. */
  details: string;
  /** Whether the name is read from right to left. */
  isRightToLeft: boolean;
  siteName: string;
  /** How it differs from what was announced, in words. */
  state: string | null;
  colors: OgImageColors;
  /** A raster image; null: the ground's colour. */
  background: Uint8Array | null;
  logo: Uint8Array | null;
}>;

const margin = 64;
const gap = 28;
const textWidth = ogImageSize.width - 2 * margin;
const logoBox = { width: 420, height: 150 } as const;
const bar = { width: 72, height: 10 } as const;

/** Draws the Open Graph image of an event as a JPEG, which every messenger supports. */
export async function drawEventOgImage(content: OgImageContent): Promise<Buffer> {
  const { background, logo, colors, isRightToLeft } = content;
  const style = { color: colors.text, widthMax: textWidth };
  const details = await drawFittedText(content.details, { ...style, sizes: [34], heightMax: 44 });
  const name = await drawFittedText(content.name, {
    ...style,
    isBold: true,
    sizes: [92, 80, 68, 56, 46],
    heightMax: logo === null ? 310 : 220,
  });
  const detailsTop = ogImageSize.height - margin - (details?.height ?? 0);
  const nameTop = detailsTop - gap - (name?.height ?? 0);
  const barTop = nameTop - gap - bar.height;
  const textTop = barTop - gap;
  const toLeft = (part: Readonly<{ width: number }> | null) =>
    isRightToLeft ? ogImageSize.width - margin - (part?.width ?? 0) : margin;
  const layers: OverlayOptions[] = [
    ...(background === null ? [] : [{ input: toScrimSvg(colors, textTop) }]),
    { input: toBoxSvg({ left: toLeft(bar), top: barTop, ...bar }, colors.accent, 5) },
    ...placeText(name, toLeft(name), nameTop),
    ...placeText(details, toLeft(details), detailsTop),
    ...(await toLabel(content.siteName, colors.ground, colors.text)),
    ...(logo === null ? [] : [await toLogo(logo)]),
    ...(await toBand(content.state)),
  ];
  return toJpeg(
    background === null ? sharp(toGroundSvg(colors, textTop)) : cover(background),
    layers,
  );
}

const wall = {
  ground: '#f6f2e9',
  ink: '#17151f',
  posters: ['#f0563a', '#2340c4', '#f8c33c', '#0c5f62', '#f7b6c6', '#4b1c5c', '#aadbf7', '#27543a'],
} as const;

/** Draws the Open Graph image of the site as a JPEG: its name beside a wall of posters. */
export async function drawSiteOgImage(siteName: string): Promise<Buffer> {
  const [columns, width, step] = [4, 112, 128];
  const posters = wall.posters.map((fill, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const left = ogImageSize.width - margin - (columns - column) * step + (step - width);
    return { fill, left, top: margin + row * 258 + (column % 2) * 34, width, height: 234 };
  });
  const style = { color: wall.ink, widthMax: 500 };
  const sizes = [96, 80, 64, 52];
  const name = await drawFittedText(siteName, { ...style, isBold: true, sizes, heightMax: 330 });
  const line = await drawText('What is on, and what is coming up', { ...style, size: 30 });
  const lineTop = ogImageSize.height - margin - (line?.height ?? 0);
  const nameTop = lineTop - gap - (name?.height ?? 0);
  return toJpeg(sharp(toWallSvg(wall.ground, posters)), [
    ...placeText(name, margin, nameTop),
    ...placeText(line, margin, lineTop),
  ]);
}

// On a background of its own, to stay legible over any picture.
async function toLabel(text: string, ground: string, color: string): Promise<OverlayOptions[]> {
  const drawn = await drawFittedText(text, { color, sizes: [26], heightMax: 40, widthMax: 400 });
  if (drawn === null) return [];
  const box = { width: drawn.width + 40, height: 56 };
  const left = ogImageSize.width - margin - box.width;
  return [
    { input: toBoxSvg({ left, top: margin, ...box }, ground, 28) },
    ...placeText(drawn, left + 20, margin + Math.round((box.height - drawn.height) / 2)),
  ];
}

// Across the top, as on posters.
async function toBand(state: string | null): Promise<OverlayOptions[]> {
  if (state === null) return [];
  const style = { color: '#ffc21a', isBold: true, sizes: [34], heightMax: 44, widthMax: textWidth };
  const drawn = await drawFittedText(state, style);
  const box = { left: 0, top: 0, width: ogImageSize.width, height: 56 };
  return [
    { input: toBoxSvg(box, '#141414', 0) },
    ...placeText(drawn, margin, (box.height - (drawn?.height ?? 0)) / 2),
  ];
}

async function toLogo(logo: Uint8Array): Promise<OverlayOptions> {
  const input = await sharp(logo)
    .resize({ ...logoBox, fit: 'inside' })
    .png()
    .toBuffer();
  return { input, left: margin, top: margin };
}

function cover(picture: Uint8Array) {
  return sharp(picture)
    .resize({ ...ogImageSize, fit: 'cover' })
    .flatten({ background: '#000000' });
}

function placeText(drawn: DrawnText | null, left: number, top: number): OverlayOptions[] {
  return drawn === null ? [] : [{ input: drawn.png, left, top: Math.max(0, Math.round(top)) }];
}

function toJpeg(ground: Sharp, layers: OverlayOptions[]): Promise<Buffer> {
  return ground
    .composite(layers)
    .flatten()
    .jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true })
    .toBuffer();
}
