/** A poster to place: its natural height in rows, and whether it spans two columns. */
export type WallItem = Readonly<{ rows: number; isWide: boolean }>;

/** Where a poster is placed on the wall. */
export type Place = Readonly<{
  /** Counted from 1. */
  column: number;
  columns: 1 | 2;
  rows: number;
}>;

/** The numbers of columns that need a layout. */
export const columnCounts = [2, 3, 4, 5, 6] as const;

/** How far a poster may be stretched or shrunk to align the ends of the columns. */
const scales = { min: 0.95, max: 1.45 };

/**
 * Places posters without gaps, each in the shortest column, so that their order stays. Columns are then
 * stretched a little to end on one line, unless one is too short for that.
 * @returns places in the order of `items`.
 */
export function toWallLayout(items: readonly WallItem[], columnCount: number): Place[] {
  const columns: Column[] = Array.from({ length: columnCount }, () => ({ fixed: 0, items: [] }));
  const places = items.map(({ rows, isWide }, index): Place => {
    const column = findShortest(columns);
    const [first, second] = [columns[column], columns[column + 1]];
    if (isWide && first && second && isLevel(first, second)) {
      for (const part of [first, second]) part.fixed += rows;
      return { column: column + 1, columns: 2, rows };
    }
    first?.items.push({ index, rows });
    return { column: column + 1, columns: 1, rows };
  });
  const target = toTargetHeight(columns);
  for (const column of columns) {
    for (const { index, rows } of stretchColumn(column, target)) {
      const place = places[index];
      if (place) places[index] = { ...place, rows };
    }
  }
  return places;
}

type ColumnItem = Readonly<{ index: number; rows: number }>;
/** `fixed` rows belong to posters that span two columns. */
type Column = { fixed: number; items: ColumnItem[] };

function findShortest(columns: readonly Column[]): number {
  const heights = columns.map(toHeight);
  return heights.indexOf(Math.min(...heights));
}

function toHeight({ fixed, items }: Column): number {
  return fixed + sumRows(items);
}

function isLevel(one: Column, other: Column): boolean {
  return one.items.length === 0 && other.items.length === 0 && one.fixed === other.fixed;
}

// A height that every column can reach, or else that of the longest column.
function toTargetHeight(columns: readonly Column[]): number {
  const filled = columns.filter(({ items }) => items.length > 0);
  const lowest = filled.map(({ fixed, items }) => fixed + sumRows(items) * scales.min);
  const highest = filled.map(({ fixed, items }) => fixed + sumRows(items) * scales.max);
  const least = Math.ceil(Math.max(0, ...columns.map(({ fixed }) => fixed), ...lowest));
  const most = Math.floor(Math.min(...highest));
  if (least > most) return Math.max(...columns.map(toHeight));
  const mean = filled.reduce((sum, column) => sum + toHeight(column), 0) / filled.length;
  return Math.min(Math.max(Math.round(mean), least), most);
}

function stretchColumn({ fixed, items }: Column, target: number): ColumnItem[] {
  const natural = sumRows(items);
  const wanted = target - fixed;
  const scale = wanted / natural;
  if (items.length === 0 || scale > scales.max || scale < scales.min) return items;
  let before = 0;
  let placed = 0;
  return items.map(({ index, rows }) => {
    before += rows;
    const stretched = Math.round(before * scale) - placed;
    placed += stretched;
    return { index, rows: stretched };
  });
}

function sumRows(items: readonly ColumnItem[]): number {
  return items.reduce((sum, { rows }) => sum + rows, 0);
}
