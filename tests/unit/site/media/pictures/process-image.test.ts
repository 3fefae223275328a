import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  createOriginal,
  createVariant,
  sniffImageType,
} from '#lib/site/media/pictures/process-image.ts';
import {
  makeAnimation,
  makeAvifBomb,
  makeEndlessGif,
  makePicture,
  makePngBomb,
  readPixel,
  svgPicture,
} from '../../../../support/factories/picture-factory.ts';

async function originalOf(bytes: Buffer) {
  const result = await createOriginal(bytes);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

async function reasonOf(bytes: Buffer): Promise<string> {
  const result = await createOriginal(bytes);
  return result.ok ? 'none' : result.reason;
}

test.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)(
  'a %s becomes a WebP of the same size',
  async (format) => {
    const size = { width: 400, height: 300 };
    const { original, bytes } = await originalOf(await makePicture({ format, ...size }));
    expect(original).toMatchObject({ ...size, hasAlpha: false });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', ...size });
    const [red = 0, green = 0, blue = 0] = await readPixel(bytes, { x: 300, y: 200 });
    expect(Math.abs(red - 0x20) + Math.abs(green - 0x40) + Math.abs(blue - 0x60)).toBeLessThan(16);
  },
);

test('a large picture is scaled down to the box with its proportions', async () => {
  const { original } = await originalOf(await makePicture({ width: 5000, height: 2500 }));
  expect(original).toMatchObject({ width: 1920, height: 960 });
  const tall = await originalOf(await makePicture({ width: 1000, height: 8000 }));
  expect(tall.original).toMatchObject({ width: 360, height: 2880 });
});

test.each([
  [1, 1],
  [1, 3000],
  [3000, 1],
])('a picture of %i × %i pixels is accepted', async (width, height) => {
  const { original, bytes } = await originalOf(await makePicture({ width, height }));
  expect(original.width).toBeLessThanOrEqual(1920);
  expect(original.height).toBeGreaterThanOrEqual(1);
  expect(await createVariant(bytes, { width: 96, format: 'jpeg' })).not.toBeNull();
});

test('transparency is detected and preserved', async () => {
  const { original, bytes } = await originalOf(await makePicture({ color: '#20406000' }));
  expect(original.hasAlpha).toBe(true);
  const png = await createVariant(bytes, { width: 160, format: 'png' });
  expect((await readPixel(png ?? Buffer.alloc(0), { x: 150, y: 100 }))[3]).toBe(0);
  const jpeg = await createVariant(bytes, { width: 160, format: 'jpeg' });
  const white = [255, 255, 255, 255];
  expect(await readPixel(jpeg ?? Buffer.alloc(0), { x: 150, y: 100 })).toEqual(white);
});

test('a picture is turned upright and loses its metadata', async () => {
  const camera = await sharp(await makePicture({ width: 400, height: 200, format: 'jpeg' }))
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Artist: 'secret-artist' } })
    .jpeg()
    .toBuffer();
  expect(camera.includes('secret-artist')).toBe(true);
  const { original, bytes } = await originalOf(camera);
  expect(original).toMatchObject({ width: 200, height: 400 });
  const { exif, xmp, icc } = await sharp(bytes).metadata();
  expect([exif, xmp, icc]).toEqual([undefined, undefined, undefined]);
  expect(bytes.includes('secret-artist')).toBe(false);
  // The light corner was at the upper left before, and is at the upper right upright.
  expect((await readPixel(bytes, { x: 190, y: 10 }))[0]).toBeGreaterThan(200);
  expect((await readPixel(bytes, { x: 10, y: 10 }))[0]).toBeLessThan(100);
});

test('only the first frame of an animation is stored', async () => {
  const { bytes } = await originalOf(await makeAnimation(['#ff0000', '#00ff00', '#0000ff']));
  expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  const [red = 0, green = 255] = await readPixel(bytes, { x: 20, y: 20 });
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
});

test('a picture with too many pixels is rejected by its header', async () => {
  const bomb = makePngBomb(20_000, 20_000);
  expect(bomb.length).toBeLessThan(200_000);
  const before = process.memoryUsage().rss;
  expect(await reasonOf(bomb)).toBe('too_many_pixels');
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(await reasonOf(makePngBomb(60_000, 700))).toBe('too_many_pixels');
});

test('a picture just below the pixel limit is accepted', async () => {
  expect(await reasonOf(makePngBomb(6300, 6300))).toBe('none');
});

// ASVS 5.2.3
test('what takes more memory than its pixels need is rejected by its header with fewer of them', async () => {
  expect(await reasonOf(await makeAvifBomb(4_000))).toBe('too_many_pixels');
  const interlaced = makePngBomb(5_500, 5_500, { isInterlaced: true });
  expect(await reasonOf(interlaced)).toBe('too_many_pixels');
});

test('of a GIF without an end only the first frame is read', async () => {
  const { original } = await originalOf(makeEndlessGif(200_000));
  expect(original).toMatchObject({ width: 1, height: 1 });
});

test('an SVG is drawn, whatever stands before it, and is stored as a WebP', async () => {
  const prolog = '\ufeff \n<?xml version="1.0"?><!-- Made by hand --><!DOCTYPE svg PUBLIC "a" "b">';
  for (const svg of [svgPicture, Buffer.concat([Buffer.from(prolog), svgPicture])]) {
    const { original, bytes } = await originalOf(svg);
    expect(original).toMatchObject({ width: 800, height: 800 });
    expect(sniffImageType(bytes)).toBe('webp');
    const [red = 0, green = 255, blue = 255] = await readPixel(bytes, { x: 400, y: 400 });
    expect([red > 250, green < 5, blue < 5]).toEqual([true, true, true]);
  }
  const wide = makeSvg('<rect width="4000" height="10"/>', 'viewBox="0 0 4000 1000"');
  expect((await originalOf(wide)).original).toMatchObject({ width: 800, height: 200 });
});

// ASVS 1.3.4, 5.2.2
test.each([
  ['an entity', '<text>&a;</text>', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'],
  [
    'entities in entities',
    '<text>&b;</text>',
    '<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>',
  ],
  ['a picture of a host', '<image href="http://127.0.0.1/a.png" width="9" height="9"/>', ''],
  ['a file', '<image xlink:href="file:///etc/hostname" width="9" height="9"/>', ''],
  ['a picture within', '<image href="data:image/png;base64,AAAA" width="9" height="9"/>', ''],
  ['a style of a host', '<style>@import "http://127.0.0.1/a.css";</style>', ''],
  ['a font', '<style>@font-face{font-family:a;src:url(http://127.0.0.1/a)}</style>', ''],
  ['a pattern of a host', '<rect fill="url(http://127.0.0.1/a.svg#b)" width="9" height="9"/>', ''],
  ['another file in use', '<use href="/etc/a.svg#b"/>', ''],
  ['HTML', '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>', ''],
  ['broken markup', '<g>', ''],
  ['too many bytes', '<g/>'.repeat(130_000), ''],
  [
    'shapes in shapes without end',
    Array.from({ length: 30 }, (_, level) => {
      const use = `<use href="#g${level}"/>`;
      return `<g id="g${level + 1}">${use.repeat(10)}</g>`;
    }).join('<use href="#g30"/>'),
    '',
  ],
])('an SVG with %s is not drawn', async (_, content, prolog) => {
  expect(await reasonOf(makeSvg(content, 'viewBox="0 0 9 9"', prolog))).toBe('not_a_picture');
});

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  'a truncated %s is rejected',
  async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 99, height: 99, channels: 3, background: 'black', noise } as const;
    const bytes = await sharp({ create }).toFormat(format).toBuffer();
    const cut = bytes.subarray(0, Math.floor(bytes.length / 3));
    expect(await reasonOf(cut)).toBe('broken');
  },
);

test('text that starts with an image signature is rejected', async () => {
  expect(await reasonOf(Buffer.from('\x89PNG\r\n\x1a\nand then a story', 'latin1'))).toBe('broken');
  expect(await reasonOf(Buffer.from('GIF89a is not enough'))).toBe('broken');
});

test('an SVG behind an image signature is rejected', async () => {
  const disguised = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), svgPicture]);
  expect(await reasonOf(disguised)).toBe('broken');
});

test.each(['avif', 'webp', 'png', 'jpeg'] as const)(
  'a variant in %s has the requested width, and is never enlarged',
  async (format) => {
    const { bytes } = await originalOf(await makePicture({ width: 500, height: 250 }));
    const small = await createVariant(bytes, { width: 160, format });
    const large = await createVariant(bytes, { width: 960, format });
    const type = format === 'avif' ? 'heif' : format;
    const sizeOf = (picture: Buffer | null) => sharp(picture ?? undefined).metadata();
    expect(await sizeOf(small)).toMatchObject({ format: type, width: 160, height: 80 });
    expect(await sizeOf(large)).toMatchObject({ format: type, width: 500 });
  },
);

test('a damaged original gives no variant', async () => {
  const { bytes } = await originalOf(await makePicture());
  expect(await createVariant(bytes.subarray(0, 60), { width: 96, format: 'webp' })).toBeNull();
  expect(await createVariant(svgPicture, { width: 96, format: 'webp' })).toBeNull();
});

test.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)(
  '%s is detected by its bytes',
  async (format) => {
    expect(sniffImageType(await makePicture({ format, width: 20, height: 20 }))).toBe(format);
  },
);

function makeSvg(content: string, attributes: string, prolog = ''): Buffer {
  return Buffer.from(
    `${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`,
  );
}

test.each([
  ['an SVG', svgPicture],
  [
    'an SVG after whitespace',
    Buffer.concat([Buffer.from('\ufeff \n<?xml version="1.0"?>'), svgPicture]),
  ],
  ['an HTML page', Buffer.from('<!doctype html><html></html>')],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a BMP', Buffer.from('BM\x36\0\0\0\0\0\0\0')],
  ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
  ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['audio', Buffer.from('RIFF\x24\0\0\0WAVEfmt ')],
  ['text with an image signature further on', Buffer.from('text \x89PNG\r\n\x1a\n')],
  ['nothing', Buffer.alloc(0)],
])('%s is not an image', (_, bytes) => {
  expect(sniffImageType(bytes)).toBeNull();
});

test('no bytes make it throw, and a partial signature is not enough', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const type = sniffImageType(bytes);
      if (bytes.length < 3) expect(type).toBeNull();
    }),
  );
});
