import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export type TestPictureType = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'tiff';

type TestPicture = Readonly<{
  width?: number;
  height?: number;
  color?: string;
  format?: TestPictureType;
}>;

/** One colour with a lighter corner, which shows a rotation. */
export async function makePicture(picture: TestPicture = {}): Promise<Buffer> {
  const { width = 800, height = 600, color = '#204060', format = 'png' } = picture;
  const corner = {
    create: {
      width: Math.max(1, width >> 2),
      height: Math.max(1, height >> 2),
      channels: 3,
      background: '#f0f0f0',
    },
  } as const;
  return sharp({ create: { width, height, channels: 4, background: color } })
    .composite([{ input: corner, gravity: 'northwest' }])
    .toFormat(format)
    .toBuffer();
}

/** A GIF whose frames are of one colour each. */
export async function makeAnimation(colors: readonly string[], side = 40): Promise<Buffer> {
  const frames = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width: side, height: side, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A decompression bomb: a valid PNG of a few kilobytes with this many pixels; an interlaced one has but its header. */
export function makePngBomb(width: number, height: number, { isInterlaced = false } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(isInterlaced ? [16, 0, 0, 0, 1] : [1, 0, 0, 0, 0], 8);
  const row = Math.ceil(width / 8) + 1;
  const pixels = deflateSync(Buffer.alloc(row * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    toChunk('IHDR', header),
    toChunk('IDAT', pixels),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An AVIF of a few hundred bytes that claims to have these sides. */
export async function makeAvifBomb(side: number): Promise<Buffer> {
  const bytes = await makePicture({ width: 64, height: 64, format: 'avif' });
  const size = bytes.indexOf('ispe') + 'ispe'.length + 4;
  bytes.writeUInt32BE(side, size);
  bytes.writeUInt32BE(side, size + 4);
  return bytes;
}

/** A GIF that claims the largest screen, has this many frames of one pixel, and does not end. */
export function makeEndlessGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from(
    '21f9040001000000 2c000000000100010000 0202440100'.replaceAll(' ', ''),
    'hex',
  );
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame)]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** The colour of one pixel, each channel 0 to 255. */
export async function readPixel(
  picture: Uint8Array,
  { x, y }: Readonly<{ x: number; y: number }>,
): Promise<readonly number[]> {
  const pixel = await sharp(picture)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  return [...pixel];
}

/** An SVG with a script. */
export const svgPicture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><rect width="40" height="40" fill="red"/></svg>',
);
