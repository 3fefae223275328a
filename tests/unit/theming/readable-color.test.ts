import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mixColors, toContrast } from '#lib/theming/color.ts';
import { toReadable, toReadableLike, toScrim } from '#lib/theming/readable-color.ts';
import { anyColor } from './any-color.ts';

test('whatever two colours go in, a text that reaches 4.5:1 comes out', () => {
  fc.assert(
    fc.property(anyColor, anyColor, (wanted, ground) => {
      expect(toContrast(toReadable(wanted, ground), ground)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2000 },
  );
});

test('a colour that can be read is left as it is', () => {
  expect(toReadable([255, 196, 31], [20, 20, 20])).toEqual([255, 196, 31]);
});

test('a colour that almost can be read is mended a little, and keeps its hue', () => {
  const [red, green, blue] = toReadable([230, 60, 60], [255, 255, 255]);
  expect(red).toBeGreaterThan(190);
  expect(green).toBeLessThan(60);
  expect(blue).toBeLessThan(60);
});

test('over any picture, text on a scrim reaches 4.5:1', () => {
  fc.assert(
    fc.property(anyColor, anyColor, anyColor, (wanted, tint, pixel) => {
      const text = toReadable(wanted, tint);
      const seen = mixColors(pixel, tint, toScrim(text, tint).cover);
      expect(toContrast(text, seen)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2000 },
  );
});

test('a text of high contrast leaves most of what a scrim may leave to see', () => {
  expect(toScrim([255, 255, 255], [10, 10, 30]).cover).toBeLessThan(0.9);
});

test('an accent reaches 4.5:1 over any picture too, and stays as it is where it does', () => {
  fc.assert(
    fc.property(anyColor, anyColor, anyColor, (wanted, accent, tint) => {
      const text = toReadable(wanted, tint);
      const { extremes } = toScrim(text, tint);
      const readable = toReadableLike(text, accent, extremes);
      for (const extreme of extremes) {
        expect(toContrast(readable, extreme)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 1000 },
  );
  expect(toReadableLike([255, 255, 255], [255, 194, 26], [[0, 0, 0]])).toEqual([255, 194, 26]);
});
