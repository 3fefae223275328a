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
