import fc from 'fast-check';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { expect, test } from 'vitest';
import { toPicturePlaceholder } from '#lib/formats/picture-placeholder.ts';

function hashOf(width: number, height: number, pixel: readonly number[]): string {
  const rgba = Array.from({ length: width * height }, () => pixel).flat();
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}

test('a placeholder has the picture’s colour and proportion, in a few hundred characters', async () => {
  const placeholder = toPicturePlaceholder(hashOf(40, 20, [200, 40, 40, 255]));
  expect(placeholder?.color).toMatch(/^#c[0-9a-f]2[0-9a-f]2[0-9a-f]ff$/);
  expect(placeholder?.dataUri.length).toBeLessThan(500);
  const bytes = Buffer.from(placeholder?.dataUri.split(',')[1] ?? '', 'base64');
  const { width, height, format } = await sharp(bytes).metadata();
  expect([width, format]).toEqual([8, 'png']);
  // A hash tells the proportion in sevenths.
  expect([4, 5]).toContain(height);
  const { channels } = await sharp(bytes).stats();
  expect(Math.abs((channels[0]?.mean ?? 0) - 200)).toBeLessThan(12);
  expect(Math.abs((channels[1]?.mean ?? 0) - 40)).toBeLessThan(12);
});

test('what shines through has a colour that does, too', () => {
  const color = toPicturePlaceholder(hashOf(20, 20, [0, 0, 0, 0]))?.color;
  expect(color).toMatch(/^#[0-9a-f]{6}00$/);
});

test.each(['', 'abc', 'not base64!', 'javascript:alert(1)', '"><script>'])(
  '%j is no hash',
  (text) => {
    expect(toPicturePlaceholder(text)).toBeNull();
  },
);

test('whatever bytes a hash holds, its placeholder is a colour and an address of its own', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 5, maxLength: 25 }), (bytes) => {
      const placeholder = toPicturePlaceholder(Buffer.from(bytes).toString('base64'));
      if (placeholder === null) return;
      expect(placeholder.color).toMatch(/^#[0-9a-f]{8}$/);
      expect(placeholder.dataUri).toMatch(/^data:image\/png;base64,[\w+/]+={0,2}$/);
    }),
  );
});
