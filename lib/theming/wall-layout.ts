/** What is to be hung: its natural height in rows of the wall, and whether it takes two columns. */
export type Hanging = Readonly<{ rows: number; isWide: boolean }>;

/** Where it hangs on a wall of so many columns. */
export type Place = Readonly<{
  /** From 1. */
  column: number;
  columns: 1 | 2;
  rows: number;
}>;

/** Walls of these widths are laid out; one of a single column needs no layout. */
export const columnCounts = [2, 3, 4, 5, 6] as const;

/** How far a poster may be drawn out or taken in so that all columns end on one line. */
const shares = { min: 0.95, max: 1.45 };

/**
 * Hangs posters without gaps, each below the shortest column, so that they are read in their order.
 * Then columns are drawn out a little to end on one line; one that lacks a poster, as the last line of a
 * text lacks words, stays as it is.
 * @returns places in the order of `hangings`.
 */
export function toWallLayout(hangings: readonly Hanging[], columnCount: number): Place[] {
  const columns: Column[] = Array.from({ length: columnCount }, () => ({ fixed: 0, hung: [] }));
  const places = hangings.map(({ rows, isWide }, index): Place => {
    const column = findShortest(columns);
    const [first, second] = [columns[column], columns[column + 1]];
    if (isWide && first && second && isLevel(first, second)) {
      for (const part of [first, second]) part.fixed += rows;
      return { column: column + 1, columns: 2, rows };
    }
    first?.hung.push({ index, rows });
    return { column: column + 1, columns: 1, rows };
  });
  const goal = toGoal(columns);
  for (const column of columns) {
    for (const { index, rows } of drawOut(column, goal)) {
      const place = places[index];
      if (place) places[index] = { ...place, rows };
    }
  }
  return places;
}

type Hung = Readonly<{ index: number; rows: number }>;
/** `fixed` rows are those of posters that the column shares with its neighbour. */
type Column = { fixed: number; hung: Hung[] };

function findShortest(columns: readonly Column[]): number {
  const heights = columns.map(toHeight);
  return heights.indexOf(Math.min(...heights));
}

function toHeight({ fixed, hung }: Column): number {
  return fixed + sumRows(hung);
}

function isLevel(one: Column, other: Column): boolean {
  return one.hung.length === 0 && other.hung.length === 0 && one.fixed === other.fixed;
}

// A height that every column can reach; where there is none, that of the longest.
function toGoal(columns: readonly Column[]): number {
  const filled = columns.filter(({ hung }) => hung.length > 0);
  const lowest = filled.map(({ fixed, hung }) => fixed + sumRows(hung) * shares.min);
  const highest = filled.map(({ fixed, hung }) => fixed + sumRows(hung) * shares.max);
  const least = Math.ceil(Math.max(0, ...columns.map(({ fixed }) => fixed), ...lowest));
  const most = Math.floor(Math.min(...highest));
  if (least > most) return Math.max(...columns.map(toHeight));
  const mean = filled.reduce((sum, column) => sum + toHeight(column), 0) / filled.length;
  return Math.min(Math.max(Math.round(mean), least), most);
}

function drawOut({ fixed, hung }: Column, goal: number): Hung[] {
  const natural = sumRows(hung);
  const wanted = goal - fixed;
  const share = wanted / natural;
  if (hung.length === 0 || share > shares.max || share < shares.min) return hung;
  let before = 0;
  let given = 0;
  return hung.map(({ index, rows }) => {
    before += rows;
    const drawn = Math.round(before * share) - given;
    given += drawn;
    return { index, rows: drawn };
  });
}

function sumRows(hung: readonly Hung[]): number {
  return hung.reduce((sum, { rows }) => sum + rows, 0);
}
