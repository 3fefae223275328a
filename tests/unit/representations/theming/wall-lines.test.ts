import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnCounts, toWallWidths } from '#lib/representations/theming/poster-size.ts';

const anyWeights = fc.array(fc.double({ min: 0.9, max: 2, noNaN: true }), { maxLength: 60 });

test('posters of a weight share their line equally', () => {
  expect(toWallWidths([1, 1, 1, 1], 4)).toEqual([25, 25, 25, 25]);
});

test('few posters fill the width, but one or two of them do not become banners', () => {
  expect(toWallWidths([1, 1, 1], 4)).toEqual([33.3, 33.3, 33.3]);
  expect(toWallWidths([1], 4)).toEqual([40]);
  expect(toWallWidths([1, 1], 6)).toEqual([26.6, 26.6]);
});

test('a heavier poster is wider', () => {
  expect(toWallWidths([2, 1, 1], 4)).toEqual([50, 25, 25]);
});

test('lines are about equally full: nine posters in four columns are three lines of three', () => {
  expect(toWallWidths([1, 1, 1, 1, 1, 1, 1, 1, 1], 4)).toEqual(Array(9).fill(33.3));
});

test('five posters in four columns are a line of two and a line of three', () => {
  expect(toWallWidths([1, 1, 1, 1, 1], 4)).toEqual([50, 50, 33.3, 33.3, 33.3]);
});

test('for any posters, lines are full, in order, and no poster is much narrower than a column', () => {
  fc.assert(
    fc.property(anyWeights, fc.constantFrom(...columnCounts), (weights, columns) => {
      const widths = toWallWidths(weights, columns);
      expect(widths).toHaveLength(weights.length);
      let line = 0;
      let count = 0;
      for (const width of widths) {
        // The next poster does not fit into what rounding left over.
        if (line + width > 100) {
          expect(line).toBeGreaterThan(100 - 0.1 * count - 0.01);
          line = 0;
          count = 0;
        }
        line += width;
        count++;
        expect(width).toBeGreaterThan(55 / columns);
      }
      const isShort = weights.reduce((total, weight) => total + weight, 0) < columns / 1.6;
      if (widths.length > 0 && !isShort) expect(line).toBeGreaterThan(100 - 0.1 * count - 0.01);
    }),
  );
});
