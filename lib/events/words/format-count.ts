const counts = new Intl.NumberFormat('en');

/** 12,345 */
export function formatCount(count: number): string {
  return counts.format(count);
}
