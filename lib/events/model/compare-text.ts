/** Compares texts by code units, for `sort`: the same order everywhere, and that of ISO dates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
