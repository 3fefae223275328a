import fc from 'fast-check';
import { rgbaToThumbHash } from 'thumbhash';
import { expect, test } from 'vitest';
import {
  pictureWidths,
  toPicturePlaceholder,
  toPictureSources,
} from '#lib/representations/theming/picture-placeholder.ts';
import { makePosterPicture } from '../../../support/factories/event-factory.ts';

type Pixel = readonly [number, number, number, number];

function hashOf(width: number, height: number, toPixel: (y: number) => Pixel): string {
  const rgba = Array.from({ length: width * height }, (_, at) => toPixel(Math.floor(at / width)));
  return Buffer.from(rgbaToThumbHash(width, height, rgba.flat())).toString('base64');
}

function readColors(gradient = ''): number[][] {
  return [...gradient.matchAll(/#(..)(..)(..)/g)].map(([, ...parts]) =>
    parts.map((part) => Number.parseInt(part, 16)),
  );
}

test('a placeholder has the picture’s colour', () => {
  const placeholder = toPicturePlaceholder(hashOf(40, 20, () => [200, 40, 40, 255]));
  expect(placeholder?.isOpaque).toBe(true);
  const colors = readColors(placeholder?.gradient);
  expect(colors).toHaveLength(3);
  for (const [red = 0, green = 0, blue = 0] of colors) {
    expect(Math.abs(red - 200)).toBeLessThan(12);
    expect(Math.abs(green - 40)).toBeLessThan(12);
    expect(Math.abs(blue - 40)).toBeLessThan(12);
  }
});

test('a picture that is dark at the top and light at the bottom has such a placeholder', () => {
  const placeholder = toPicturePlaceholder(
    hashOf(30, 30, (y) => (y < 15 ? [20, 20, 60, 255] : [230, 230, 200, 255])),
  );
  const [top, middle, bottom] = readColors(placeholder?.gradient).map(([red = 0]) => red);
  expect(top).toBeLessThan(middle ?? 0);
  expect(middle).toBeLessThan(bottom ?? 0);
});

test('a translucent picture is not opaque', () => {
  expect(toPicturePlaceholder(hashOf(20, 20, () => [0, 0, 0, 0]))?.isOpaque).toBe(false);
});

test.each(['', 'abc', 'not base64!', 'javascript:alert(1)', '"><script>'])(
  '%j is not a hash',
  (text) => {
    expect(toPicturePlaceholder(text)).toBeNull();
  },
);

test('any bytes give a gradient of three colours', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 5, maxLength: 25 }), (bytes) => {
      const placeholder = toPicturePlaceholder(Buffer.from(bytes).toString('base64'));
      if (placeholder === null) return;
      expect(placeholder.gradient).toMatch(/^linear-gradient\((?:#[0-9a-f]{6},?){3}\)$/);
    }),
  );
});

const picture = makePosterPicture({ width: 400, height: 300 });

test('widths from half to three times the shown one are offered, up to the picture’s own', () => {
  expect(toPictureSources(picture, 200)).toEqual({
    src: `${picture.url}?w=320`,
    srcSet: [
      `${picture.url}?w=160 160w`,
      `${picture.url}?w=320 320w`,
      `${picture.url}?w=480 400w`,
    ].join(', '),
    width: 400,
    height: 300,
  });
});

test('no screen loads more than three times its size', () => {
  const { srcSet } = toPictureSources({ ...picture, width: 4000 }, 160);
  expect(srcSet).toMatch(/\?w=480 480w$/);
});

test('a picture exactly as wide as a served width is offered once at that width', () => {
  const { srcSet } = toPictureSources({ ...picture, width: 320 }, 200);
  expect(srcSet?.match(/320/g)).toHaveLength(2);
  expect(srcSet).toMatch(/ 320w$/);
});

test('a picture of unknown size has one URL and no width or height', () => {
  expect(toPictureSources({ ...picture, width: null, height: null }, 300)).toEqual({
    src: `${picture.url}?w=320`,
  });
});

test('only served widths are requested, and none is declared above the picture’s own', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1920 }),
      fc.integer({ min: 1, max: 4000 }),
      (width, shown) => {
        const { src, srcSet = '' } = toPictureSources({ ...picture, width }, shown);
        const requested = [...`${src}, ${srcSet}`.matchAll(/\?w=(\d+)/g)].map(([, width]) =>
          Number(width),
        );
        for (const width of requested) expect(pictureWidths).toContain(width);
        const claimed = [...srcSet.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width));
        expect(Math.max(...claimed)).toBeLessThanOrEqual(width);
        expect(Math.max(...claimed)).toBeGreaterThanOrEqual(Math.min(width, shown, 1920));
        expect(claimed).toEqual([...new Set(claimed)].toSorted((a, b) => a - b));
      },
    ),
  );
});
