/** Writes a line to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Reports an error on standard error and sets exit code 1: the message, or the stack of an unexpected error. */
export function exitWithError(error: unknown): void {
  const isExpected = error instanceof Error && (error.constructor !== TypeError || 'code' in error);
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

/** Formats rows as aligned text columns under a ruled heading. */
export function toTextTable(headings: readonly string[], rows: readonly string[][]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const ruler = widths.map((width) => '-'.repeat(width));
  return [headings, ruler, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
