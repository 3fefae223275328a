import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { sniffType } from './sniff-image-type.ts';

export const pictureFormats = ['avif', 'webp', 'png', 'jpeg'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** What a picture is kept as: no wider, no higher, turned upright, without anything but its pixels. */
export type Master = Readonly<{
  width: number;
  height: number;
  hasAlpha: boolean;
  thumbHash: Uint8Array;
}>;

/** Why bytes are no picture that we would show. */
export type RasterFailure = 'not_a_picture' | 'too_many_pixels' | 'broken';

export type MasterResult =
  | Readonly<{ ok: true; master: Master; bytes: Buffer }>
  | Readonly<{ ok: false; reason: RasterFailure }>;

/** Sides of a master, in pixels. */
export const masterBox = { width: 1920, height: 2880 } as const;

const pixelsMax = 40_000_000;
/** What a ThumbHash is made from; it takes no more than 100. */
const thumbSide = 48;
const secondsMax = 15;

// No operation is done twice on the same pixels: what it keeps would only fill the process.
sharp.cache(false);
// A second lock behind the sniffed type: no other reader runs, whatever the bytes claim to be. SVG is
// read where we draw our own.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
    'VipsForeignLoadSvg',
  ],
});

/**
 * Makes the master of what an upstream sent: the first frame, upright, in sRGB, without metadata. The
 * pixels are counted by the header, before any is decoded.
 */
export async function toMaster(bytes: Buffer): Promise<MasterResult> {
  const type = sniffType(bytes);
  if (type === null) return { ok: false, reason: 'not_a_picture' };
  try {
    const source = () => openPicture(bytes);
    const { width, height } = await source().metadata();
    if (width * height > pixelsMax) return { ok: false, reason: 'too_many_pixels' };
    const { data, info } = await source()
      .autoOrient()
      .resize({ ...masterBox, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90, effort: 2, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
    const thumb = await toThumb(data);
    const master = { width: info.width, height: info.height, ...thumb };
    return { ok: true, master, bytes: data };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit');
    return { ok: false, reason: isTooLarge ? 'too_many_pixels' : 'broken' };
  }
}

/**
 * Makes one size and format of a master. A width above the master's own gives its own.
 * @returns null where the master is broken.
 */
export async function toVariant(
  master: Uint8Array,
  { width, format }: Readonly<{ width: number; format: PictureFormat }>,
): Promise<Buffer | null> {
  if (sniffType(master) !== 'webp') return null;
  const resized = openPicture(master).resize({ width, withoutEnlargement: true });
  return encode(resized, format)
    .toBuffer()
    .catch(() => null);
}

function encode(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'avif':
      // Effort 1 costs a tenth of the usual 4, for a tenth more bytes.
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
  // One frame: the rest of an animation is never decoded.
  return sharp(bytes, { pages: 1, limitInputPixels: pixelsMax, failOn: 'error' }).timeout({
    seconds: secondsMax,
  });
}

async function toThumb(bytes: Uint8Array): Promise<Pick<Master, 'hasAlpha' | 'thumbHash'>> {
  const { data, info } = await openPicture(bytes)
    .resize({ width: thumbSide, height: thumbSide, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hasAlpha = data.some((value, index) => index % 4 === 3 && value < 250);
  return { hasAlpha, thumbHash: rgbaToThumbHash(info.width, info.height, data) };
}
