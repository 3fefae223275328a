import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Draws the site's icons into `public/`, in the sizes that browsers and home screens use: `node
 * lib/cli/build/draw-icons.ts`. The mark is a board with bulbs around it and a letter on it.
 */

const board = '#141414';
const bulb = '#ffc21a';
const letter = '#ffffff';
/** Everything is drawn on a square of this many units. */
const side = 64;

type MarkOptions = Readonly<{
  /** Corner radius of the board, in units. */
  cornerRadius: number;
  /** Scale of the mark: a mask may cut off everything outside the inner 80 %. */
  scale: number;
  hasBulbs: boolean;
}>;

function toMark({ cornerRadius, scale, hasBulbs }: MarkOptions): string {
  const shift = (side * (1 - scale)) / 2;
  const parts = [
    '<title>Marquee</title>',
    `<rect width="${side}" height="${side}" rx="${cornerRadius}" fill="${board}"/>`,
    `<g transform="translate(${shift} ${shift}) scale(${scale})">`,
    ...(hasBulbs ? toBulbs() : []),
    `<path fill="${letter}" d="${hasBulbs ? letterPath : largeLetterPath}"/>`,
    '</g>',
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${parts.join('')}</svg>\n`;
}

const letterPath = 'M18 46V18h7.6L32 30.5 38.4 18H46v28h-6.6V30.2L34.6 39.6h-5.2L24.6 30.2V46Z';
const largeLetterPath = 'M9 52V12h11.2L32 33.4 43.8 12H55v40H45.6V29.6L35.8 47h-7.6L18.4 29.6V52Z';

// Five on each side; corners are shared.
function toBulbs(): string[] {
  const edge = 8;
  const step = (side - 2 * edge) / 4;
  const places = [0, 1, 2, 3, 4].map((index) => edge + index * step);
  const [first = 0, last = 0] = [places.at(0), places.at(-1)];
  const spots = [
    ...places.flatMap((x) => [
      [x, first],
      [x, last],
    ]),
    ...places.slice(1, -1).flatMap((y) => [
      [first, y],
      [last, y],
    ]),
  ];
  return spots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.9" fill="${bulb}"/>`);
}

function toPng(mark: string, size: number): Promise<Buffer> {
  const density = (72 * size) / side;
  return sharp(Buffer.from(mark), { density })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
}

/** A Windows icon with one PNG: a directory of one entry, then the image. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const rounded = toMark({ cornerRadius: 12, scale: 1, hasBulbs: true });
// Home screens cut these to their own shape.
const square = toMark({ cornerRadius: 0, scale: 0.92, hasBulbs: true });
const maskable = toMark({ cornerRadius: 0, scale: 0.72, hasBulbs: true });
// Bulbs of one or two pixels would look like dirt.
const small = toMark({ cornerRadius: 12, scale: 1, hasBulbs: false });

const files: Readonly<Record<string, string | Buffer>> = {
  'icon.svg': rounded,
  'icon-192.png': await toPng(rounded, 192),
  'icon-512.png': await toPng(rounded, 512),
  'icon-maskable-512.png': await toPng(maskable, 512),
  'apple-touch-icon.png': await toPng(square, 180),
  'favicon.ico': toIco(await toPng(small, 32), 32),
};

const folder = join(import.meta.dirname, '../../../public');
await Promise.all(
  Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)),
);
