import type { DirectoryView } from '#lib/events/view/directory-view.ts';

type WallCountsProps = Readonly<{ counts: DirectoryView['counts']; isFiltered: boolean }>;

/** How many there are of each; said aloud when it changes. */
export function DirectoryCounts({ counts, isFiltered }: WallCountsProps) {
  const { onNow, comingUp, past, all } = counts;
  const parts = [
    { count: comingUp, words: 'coming up' },
    { count: past, words: 'past' },
  ];
  return (
    <p className="wall-counts" role="status">
      {isFiltered && <span>{toMatches(all)}</span>}
      {(onNow > 0 || !isFiltered) && (
        <strong data-lit={onNow > 0 || undefined}>{write(onNow)} on now</strong>
      )}
      {parts.map(({ count, words }) =>
        count > 0 ? (
          <span key={words}>
            {write(count)} {words}
          </span>
        ) : null,
      )}
    </p>
  );
}

function toMatches(count: number): string {
  if (count === 0) return 'No event matches.';
  return count === 1 ? '1 event matches:' : `${write(count)} events match:`;
}

function write(count: number): string {
  return count.toLocaleString('en');
}
