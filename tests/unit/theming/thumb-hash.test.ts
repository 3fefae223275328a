import fc from 'fast-check';
import { rgbaToThumbHash, thumbHashToAverageRGBA } from 'thumbhash';
import { expect, test } from 'vitest';
import { parseColor } from '#lib/theming/color.ts';
import { toAverageColor } from '#lib/theming/thumb-hash.ts';
import { anyText } from '../../support/any-text.ts';

test('the average colour of a picture is the one that its ThumbHash holds', () => {
  const pixel = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.constant(255));
  const pixels = fc.array(pixel, { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(pixels, (pixels) => {
      const hash = rgbaToThumbHash(4, 3, Uint8Array.from(pixels.flat()));
      const { r, g, b } = thumbHashToAverageRGBA(hash);
      const color = toAverageColor(Buffer.from(hash).toString('base64')) ?? '';
      expect(parseColor(color)).toEqual([r, g, b].map((share) => Math.round(share * 255)));
    }),
  );
});

test('a text that is no hash gives no colour, and none breaks anything', () => {
  expect(toAverageColor('')).toBeNull();
  expect(toAverageColor('red;}')).toBeNull();
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(toAverageColor(text) ?? '#000000').toMatch(/^#[0-9a-f]{6}$/);
    }),
  );
});
