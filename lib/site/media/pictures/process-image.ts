import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Attachment } from '#lib/events/model/schema.ts';
import { drawSvg, isSvg } from './draw-svg.ts';

export const pictureFormats = ['avif', 'webp', 'png', 'jpeg'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Metadata of a stored original: a WebP that fits `originalBox`, upright, without embedded metadata. */
type Original = Readonly<{
  width: number;
  height: number;
  hasAlpha: boolean;
  thumbHash: Uint8Array;
}>;

type ReportedSize = Pick<Attachment, 'width' | 'height'>;

/** Why bytes cannot be used as a picture. */
export type ImageFailure = 'not_a_picture' | 'too_many_pixels' | 'broken';

export type OriginalResult =
  | Readonly<{ ok: true; original: Original; bytes: Buffer }>
  | Readonly<{ ok: false; reason: ImageFailure }>;

/** Largest size of a stored original, in pixels. */
const originalBox = { width: 1920, height: 2880 } as const;

const pixelsMax = 40_000_000;
/** Of memory, while one picture is decoded. */
const decodedBytesMax = 250_000_000;
/** Longer side of the ThumbHash's input, in pixels; at most 100. */
const thumbSide = 48;
const timeoutSeconds = 15;

// No operation runs twice on the same pixels, so libvips' cache would only take memory.
sharp.cache(false);
// Defence in depth behind the type check: libvips loads no other formats. SVG is needed for our own drawings.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
    'VipsForeignLoadTiff',
    'VipsForeignLoadSvg',
  ],
});

/**
 * Converts an attachment into the original that is stored: the first frame, upright, in sRGB, without
 * metadata. An SVG is drawn first. Pictures with too many pixels are rejected by their header, before decoding.
 */
export async function createOriginal(attachment: Buffer): Promise<OriginalResult> {
  const bytes = isSvg(attachment) ? await drawSvg(attachment) : attachment;
  if (bytes === null || sniffImageType(bytes) === null)
    return { ok: false, reason: 'not_a_picture' };
  try {
    const source = () => openPicture(bytes);
    const metadata = await source().metadata();
    const pixels = metadata.width * metadata.height;
    if (pixels > pixelsMax || pixels * toBytesPerPixel(metadata) > decodedBytesMax) {
      return { ok: false, reason: 'too_many_pixels' };
    }
    const { data, info } = await source()
      .autoOrient()
      .resize({ ...originalBox, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90, effort: 2, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
    const thumb = await toThumb(data);
    const original = { width: info.width, height: info.height, ...thumb };
    return { ok: true, original, bytes: data };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit');
    return { ok: false, reason: isTooLarge ? 'too_many_pixels' : 'broken' };
  }
}

/**
 * Measured: an AVIF of 40 million pixels, which may be a file of 1 kB, took 780 MB, an interlaced PNG of 16 bits 390.
 * Others are decoded row by row.
 */
function toBytesPerPixel({ format, isProgressive, depth }: Metadata): number {
  if (format === 'heif') return 20;
  if (format === 'tiff') return 10;
  if (!isProgressive) return 4;
  return depth === 'uchar' ? 6 : 10;
}

/** The size that an attachment will be stored in, computed from the size that the upstream reports. */
export function toOriginalSize({ width, height }: ReportedSize): ReportedSize {
  if (width === null || height === null) return { width: null, height: null };
  const scale = Math.min(1, originalBox.width / width, originalBox.height / height);
  const toSide = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: toSide(width), height: toSide(height) };
}

/**
 * Encodes an original in one width and format, without enlarging it.
 * @returns null where the original is damaged.
 */
export async function createVariant(
  original: Uint8Array,
  { width, format }: Readonly<{ width: number; format: PictureFormat }>,
): Promise<Buffer | null> {
  if (sniffImageType(original) !== 'webp') return null;
  const resized = openPicture(original).resize({ width, withoutEnlargement: true });
  return encode(resized, format)
    .toBuffer()
    .catch(() => null);
}

function encode(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'avif':
      // Effort 1 takes a tenth of the time of the default 4, for a tenth more bytes.
      return picture.avif({ quality: 55, effort: 1 });
    case 'webp':
      return picture.webp({ quality: 80, effort: 3, smartSubsample: true });
    case 'png':
      return picture.png();
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality: 82, progressive: true });
  }
}

function openPicture(bytes: Uint8Array): Sharp {
  // pages: 1 decodes only the first frame of an animation.
  return sharp(bytes, { pages: 1, limitInputPixels: pixelsMax, failOn: 'error' }).timeout({
    seconds: timeoutSeconds,
  });
}

async function toThumb(bytes: Uint8Array): Promise<Pick<Original, 'hasAlpha' | 'thumbHash'>> {
  const { data, info } = await openPicture(bytes)
    .resize({ width: thumbSide, height: thumbSide, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hasAlpha = data.some((value, index) => index % 4 === 3 && value < 250);
  return { hasAlpha, thumbHash: rgbaToThumbHash(info.width, info.height, data) };
}

const sourceTypes = ['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const;
type SourceType = (typeof sourceTypes)[number];

/**
 * Detects the image type from the first bytes, since neither a file name nor a Content-Type can be trusted.
 * @returns null for anything but raster images; an SVG can contain scripts, and is only drawn.
 */
export function sniffImageType(bytes: Uint8Array): SourceType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64));
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (/^RIFF.{4}WEBPVP8/s.test(text)) return 'webp';
  if (/^(?:II[*+]\0|MM\0[*+])/.test(text)) return 'tiff';
  // ISO/IEC 23008-12: the major brand, or one of the compatible brands.
  if (/^.{4}ftyp/s.test(text) && /^.{8}(?:.{4})*?avi[fs]/s.test(text)) return 'avif';
  return null;
}

/** An original in the store. */
export type StoredOriginal = Original & Readonly<{ name: string }>;

/**
 * The file name of an original. It contains the metadata, so that listing the folder is enough to know them
 * all. Files on disk have this name: changing it means fetching every picture again.
 */
export function toOriginalName({ width, height, hasAlpha, thumbHash }: Original): string {
  const hash = Buffer.from(thumbHash).toString('base64url');
  return `master-${width}x${height}-${hasAlpha ? 'clear' : 'solid'}-${hash}.webp`;
}

const originalName = /^master-(\d{1,5})x(\d{1,5})-(clear|solid)-([\w-]{7,40})\.webp$/;

/** Reads the metadata from a file name; null for other files. */
export function parseOriginalName(name: string): StoredOriginal | null {
  const [, width, height, alpha, hash] = originalName.exec(name) ?? [];
  if (hash === undefined) return null;
  return {
    name,
    width: Number(width),
    height: Number(height),
    hasAlpha: alpha === 'clear',
    thumbHash: Buffer.from(hash, 'base64url'),
  };
}
