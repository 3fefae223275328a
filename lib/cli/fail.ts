/** Ends a command with what went wrong, in one line; a surprise keeps its stack. */
export function exitWithError(error: unknown): void {
  const expected = error instanceof Error && (error.constructor !== TypeError || 'code' in error);
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
