import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mixColors,
  toContrast,
  toReadableAccent,
  toReadableColor,
  toScrim,
} from '#lib/representations/theming/color.ts';
import { anyColor } from './any-color.ts';

test('any two colours give a text with a contrast of 4.5:1', () => {
  fc.assert(
    fc.property(anyColor, anyColor, (wanted, background) => {
      expect(toContrast(toReadableColor(wanted, background), background)).toBeGreaterThanOrEqual(
        4.5,
      );
    }),
    { numRuns: 2000 },
  );
});

test('a readable colour is left unchanged', () => {
  expect(toReadableColor([255, 196, 31], [20, 20, 20])).toEqual([255, 196, 31]);
});

test('a nearly readable colour is adjusted a little, and keeps its hue', () => {
  const [red, green, blue] = toReadableColor([230, 60, 60], [255, 255, 255]);
  expect(red).toBeGreaterThan(190);
  expect(green).toBeLessThan(60);
  expect(blue).toBeLessThan(60);
});

test('over any picture, text on a scrim reaches 4.5:1', () => {
  fc.assert(
    fc.property(anyColor, anyColor, anyColor, (wanted, tint, pixel) => {
      const text = toReadableColor(wanted, tint);
      const seen = mixColors(pixel, tint, toScrim(text, tint).opacity);
      expect(toContrast(text, seen)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2000 },
  );
});

test('a text of high contrast gets the most transparent scrim', () => {
  expect(toScrim([255, 255, 255], [10, 10, 30]).opacity).toBeLessThan(0.9);
});

test('an accent reaches 4.5:1 over any picture too, and is left unchanged if it already does', () => {
  fc.assert(
    fc.property(anyColor, anyColor, anyColor, (wanted, accent, tint) => {
      const text = toReadableColor(wanted, tint);
      const { extremes } = toScrim(text, tint);
      const readable = toReadableAccent(text, accent, extremes);
      for (const extreme of extremes) {
        expect(toContrast(readable, extreme)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 1000 },
  );
  expect(toReadableAccent([255, 255, 255], [255, 194, 26], [[0, 0, 0]])).toEqual([255, 194, 26]);
});
