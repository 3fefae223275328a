import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

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

/** Options of a command, with `--json`, and its words. @throws Error of one line that ends with the usage. */
export function parseArguments(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  usage: string,
) {
  try {
    const known = { ...options, json: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options: known, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: Node's message goes on with advice.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${problem}. ${usage}`);
  }
}

/** Names come from providers and clients, and may contain terminal escape sequences. */
export function toSafeText(text: string): string {
  return text.replace(/\p{C}/gu, '\ufffd');
}

/** A moment to the minute, in UTC. */
export function toMinute(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
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
