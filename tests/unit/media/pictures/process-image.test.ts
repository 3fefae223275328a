import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { type MasterResult, toMaster, toVariant } from '#lib/media/pictures/process-image.ts';
import {
  makeAnimation,
  makePicture,
  makePngBomb,
  readPixel,
  svgPicture,
} from '../../../support/picture-factory.ts';

// Drawing takes its time where many processes share a core.
vi.setConfig({ testTimeout: 20_000 });

async function masterOf(bytes: Buffer) {
  const result = await toMaster(bytes);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

function reasonOf(result: MasterResult): string {
  return result.ok ? 'none' : result.reason;
}

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  'a %s becomes a WebP of its size',
  async (format) => {
    const { master, bytes } = await masterOf(
      await makePicture({ format, width: 400, height: 300 }),
    );
    expect(master).toMatchObject({ width: 400, height: 300, hasAlpha: false });
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 400,
      height: 300,
    });
    const [red = 0, green = 0, blue = 0] = await readPixel(bytes, { x: 300, y: 200 });
    expect(Math.abs(red - 0x20) + Math.abs(green - 0x40) + Math.abs(blue - 0x60)).toBeLessThan(16);
  },
);

test('a large picture becomes one that fits the box, in its own proportion', async () => {
  const { master } = await masterOf(await makePicture({ width: 5000, height: 2500 }));
  expect(master).toMatchObject({ width: 1920, height: 960 });
  const tall = await masterOf(await makePicture({ width: 1000, height: 8000 }));
  expect(tall.master).toMatchObject({ width: 360, height: 2880 });
});

test.each([
  [1, 1],
  [1, 3000],
  [3000, 1],
])('a picture of %i × %i pixels is one', async (width, height) => {
  const { master, bytes } = await masterOf(await makePicture({ width, height }));
  expect(master.width).toBeLessThanOrEqual(1920);
  expect(master.height).toBeGreaterThanOrEqual(1);
  expect(await toVariant(bytes, { width: 96, format: 'jpeg' })).not.toBeNull();
});

test('what shines through is told, and stays', async () => {
  const { master, bytes } = await masterOf(await makePicture({ color: '#20406000' }));
  expect(master.hasAlpha).toBe(true);
  const png = await toVariant(bytes, { width: 160, format: 'png' });
  expect((await readPixel(png ?? Buffer.alloc(0), { x: 150, y: 100 }))[3]).toBe(0);
  const jpeg = await toVariant(bytes, { width: 160, format: 'jpeg' });
  expect(await readPixel(jpeg ?? Buffer.alloc(0), { x: 150, y: 100 })).toEqual([
    255, 255, 255, 255,
  ]);
});

test('a picture is turned upright, and nothing but its pixels is kept', async () => {
  const camera = await sharp(await makePicture({ width: 400, height: 200, format: 'jpeg' }))
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Artist: 'secret-artist' } })
    .jpeg()
    .toBuffer();
  expect(camera.includes('secret-artist')).toBe(true);
  const { master, bytes } = await masterOf(camera);
  expect(master).toMatchObject({ width: 200, height: 400 });
  const { exif, xmp, icc } = await sharp(bytes).metadata();
  expect([exif, xmp, icc]).toEqual([undefined, undefined, undefined]);
  expect(bytes.includes('secret-artist')).toBe(false);
  // The light corner was at the upper left before, and is at the upper right upright.
  expect((await readPixel(bytes, { x: 190, y: 10 }))[0]).toBeGreaterThan(200);
  expect((await readPixel(bytes, { x: 10, y: 10 }))[0]).toBeLessThan(100);
});

test('of an animation the first frame is kept', async () => {
  const { bytes } = await masterOf(await makeAnimation(['#ff0000', '#00ff00', '#0000ff']));
  expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  const [red = 0, green = 255] = await readPixel(bytes, { x: 20, y: 20 });
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
});

test('a picture of too many pixels is refused by its header', async () => {
  const bomb = makePngBomb(20_000, 20_000);
  expect(bomb.length).toBeLessThan(200_000);
  const before = process.memoryUsage().rss;
  expect(reasonOf(await toMaster(bomb))).toBe('too_many_pixels');
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(reasonOf(await toMaster(makePngBomb(60_000, 700)))).toBe('too_many_pixels');
});

test('a picture of just few enough pixels is not', async () => {
  expect(reasonOf(await toMaster(makePngBomb(6300, 6300)))).toBe('none');
});

test('an SVG is refused, whatever it is called', async () => {
  expect(reasonOf(await toMaster(svgPicture))).toBe('not_a_picture');
});

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  'a %s that was cut off is refused',
  async (format) => {
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .toFormat(format)
      .toBuffer();
    const cut = noise.subarray(0, Math.floor(noise.length / 3));
    expect(reasonOf(await toMaster(cut))).toBe('broken');
  },
);

test('text that begins as a picture does is refused', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  expect(reasonOf(await toMaster(Buffer.concat([png, Buffer.from('and then a story')])))).toBe(
    'broken',
  );
  expect(reasonOf(await toMaster(Buffer.from('GIF89a, said the file')))).toBe('broken');
});

test('an SVG behind a picture’s signature is not drawn', async () => {
  const disguised = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), svgPicture]);
  expect(reasonOf(await toMaster(disguised))).toBe('broken');
});

test.each(['avif', 'webp', 'png', 'jpeg'] as const)(
  'a width in %s has its pixels, and none is enlarged',
  async (format) => {
    const { bytes } = await masterOf(await makePicture({ width: 500, height: 250 }));
    const small = await toVariant(bytes, { width: 160, format });
    const large = await toVariant(bytes, { width: 960, format });
    const type = format === 'avif' ? 'heif' : format;
    expect(await sharp(small ?? undefined).metadata()).toMatchObject({
      format: type,
      width: 160,
      height: 80,
    });
    expect(await sharp(large ?? undefined).metadata()).toMatchObject({ format: type, width: 500 });
  },
);

test('a master that was damaged gives nothing', async () => {
  const { bytes } = await masterOf(await makePicture());
  expect(await toVariant(bytes.subarray(0, 60), { width: 96, format: 'webp' })).toBeNull();
  expect(await toVariant(svgPicture, { width: 96, format: 'webp' })).toBeNull();
});
