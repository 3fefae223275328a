/** The numbers of columns that the poster wall has on wider and wider screens, besides one. */
export const columnCounts = [2, 3, 4, 5, 6] as const;

/** How much more than full a line may be before another one begins, in columns. */
const excessMax = 0.12;

/** How much wider than it wants to be a poster of a wall with a single line may become. */
const stretchMax = 1.6;

/**
 * Divides posters among lines that fill the width of the wall, all of them about equally full. Too few for one line
 * leave room beside them: a poster must not become a banner.
 * @param weights how wide each poster wants to be, in columns.
 * @returns the width of each poster, in percent of its line.
 */
export function toWallWidths(weights: readonly number[], columnCount: number): number[] {
  const total = sum(weights);
  const lineCount = Math.max(1, Math.ceil(total / columnCount - excessMax));
  const lineWeight = total / lineCount;
  const lines: number[][] = Array.from({ length: lineCount }, () => []);
  let before = 0;
  for (const weight of weights) {
    // The line that its middle falls into.
    lines[Math.min(Math.floor((before + weight / 2) / lineWeight), lineCount - 1)]?.push(weight);
    before += weight;
  }
  const fullMin = lineCount === 1 ? columnCount / stretchMax : 0;
  return lines.flatMap((line) => {
    const full = Math.max(sum(line), fullMin);
    return line.map((weight) => round((weight / full) * 100));
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

// Down: the posters of a line must fit into it.
function round(percent: number): number {
  return Math.floor(percent * 10) / 10;
}
