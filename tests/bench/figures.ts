import { toTextTable } from '#lib/cli/command.ts';

/** Medians, ratios and how they are printed. */

export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (figures: readonly number[]): number => percentile(figures, 0.5);

/** The median of the ratios within each round: what else the machine does affects both sides of one. */
export function medianRatio(figures: readonly number[], others: readonly number[]): number {
  return median(figures.map((figure, index) => figure / (others[index] ?? Number.NaN)));
}

/** The ratio of two geometric means, and the standard error of its logarithm: 0.01 is about one percent. */
export function ratioOfMeans(figures: readonly number[], others: readonly number[]) {
  const [own, other] = [describeLogarithms(figures), describeLogarithms(others)];
  return {
    ratio: Math.exp(own.mean - other.mean),
    standardError: Math.sqrt(own.variance / figures.length + other.variance / others.length),
  };
}

function describeLogarithms(figures: readonly number[]) {
  const logarithms = figures.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / figures.length;
  const squares = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (figures.length - 1) };
}

export function format(figure: number, digits = 0): string {
  return Number.isNaN(figure) ? '' : figure.toFixed(digits);
}

export type Target = Readonly<{ atLeast: number } | { atMost: number }>;

/** `≥ 0.7 met`, `≤ 50 missed`. */
export function formatTarget(figure: number, target: Target): string {
  const [sign, bound, isMet] =
    'atLeast' in target
      ? ['≥', target.atLeast, figure >= target.atLeast]
      : ['≤', target.atMost, figure <= target.atMost];
  return `${sign} ${bound} ${isMet ? 'met' : 'missed'}`;
}

/**
 * Measures each subject once per round, in turns, after a first round that does not count.
 * The machine's changes of pace then affect all of them alike.
 */
export async function measureInTurns<Subject, Result>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Result>,
): Promise<Map<Subject, Result[]>> {
  const results = new Map<Subject, Result[]>(subjects.map((subject) => [subject, []]));
  for (const subject of subjects) await measure(subject);
  for (let round = 0; round < rounds; round++) {
    for (const [subject, list] of results) list.push(await measure(subject));
  }
  return results;
}

/** Prints rows as a table, without the columns that no row fills. */
export function printTable(headings: readonly string[], rows: readonly string[][]): void {
  const isFilled = (_: string, column: number) => rows.some((row) => row[column] !== '');
  const table = toTextTable(
    headings.filter(isFilled),
    rows.map((row) => row.filter(isFilled)),
  );
  process.stdout.write(`\n${table}\n`);
}
