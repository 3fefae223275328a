import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnCounts, type Place, toWallLayout, type WallItem } from '#lib/theming/wall-layout.ts';

const anyItems = fc.array(
  fc.record({ rows: fc.integer({ min: 20, max: 34 }), isWide: fc.boolean() }),
  { maxLength: 60 },
);
const anyColumnCount = fc.constantFrom(...columnCounts);

test('posters are placed in their order, each in the shortest column', () => {
  const items = [30, 20, 25, 24].map((rows) => ({ rows, isWide: false }));
  expect(toWallLayout(items, 3).map(({ column }) => column)).toEqual([1, 2, 3, 2]);
});

test('a wide poster takes two columns where they are level', () => {
  const [wide, beside, below] = toWallLayout(
    [
      { rows: 28, isWide: true },
      { rows: 27, isWide: false },
      { rows: 27, isWide: false },
    ],
    3,
  );
  expect(wide).toEqual({ column: 1, columns: 2, rows: 28 });
  expect(beside?.column).toBe(3);
  expect(below?.column).toBe(3);
});

test('columns with equally many posters end on one line', () => {
  const ends = toEnds(toWallLayout(narrow([24, 30, 27, 26, 28, 25, 29, 27, 26, 30, 24, 28]), 4), 4);
  expect(new Set(ends).size).toBe(1);
});

test('where one column has a poster less, the others are adjusted to end level, within a limit', () => {
  const ends = toEnds(toWallLayout(narrow(Array.from({ length: 11 }, () => 27)), 4), 4);
  expect(new Set(ends).size).toBe(1);
});

test('a single poster in a second line leaves the first line as it is', () => {
  const places = toWallLayout(narrow([27, 27, 27, 27, 27]), 4);
  expect(places.slice(1, 4).map(({ rows }) => rows)).toEqual([27, 27, 27]);
});

test('every poster is on the wall, at about its natural height', () => {
  fc.assert(
    fc.property(anyItems, anyColumnCount, (items, columnCount) => {
      const places = toWallLayout(items, columnCount);
      expect(places).toHaveLength(items.length);
      places.forEach(({ column, columns, rows }, index) => {
        const natural = items[index]?.rows ?? 0;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column + columns - 1).toBeLessThanOrEqual(columnCount);
        expect(Number.isInteger(rows)).toBe(true);
        expect(rows).toBeGreaterThanOrEqual(Math.floor(natural * 0.93) - 1);
        expect(rows).toBeLessThanOrEqual(Math.ceil(natural * 1.45) + 1);
      });
    }),
  );
});

test('a wide poster leaves no gap: its two columns are level there', () => {
  fc.assert(
    fc.property(anyItems, anyColumnCount, (items, columnCount) => {
      const heights = Array.from({ length: columnCount }, () => 0);
      for (const { column, columns, rows } of toWallLayout(items, columnCount)) {
        if (columns === 2) expect(heights[column - 1]).toBe(heights[column]);
        for (let part = 0; part < columns; part++) {
          heights[column - 1 + part] = (heights[column - 1 + part] ?? 0) + rows;
        }
      }
    }),
  );
});

function narrow(rows: readonly number[]): WallItem[] {
  return rows.map((one) => ({ rows: one, isWide: false }));
}

function toEnds(places: readonly Place[], columnCount: number): number[] {
  const ends = Array.from({ length: columnCount }, () => 0);
  for (const { column, rows } of places) ends[column - 1] = (ends[column - 1] ?? 0) + rows;
  return ends;
}
