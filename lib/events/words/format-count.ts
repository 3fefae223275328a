const counts = new Intl.NumberFormat('en');

/** 12,345 */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** 1 key, or 12 keys */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
