import fc from 'fast-check';
import { rgbaToThumbHash } from 'thumbhash';
import { expect, test } from 'vitest';
import { toPicturePlaceholder } from '#lib/representations/theming/picture-placeholder.ts';

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
