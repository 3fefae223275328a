import type { DirectoryView } from '#lib/events/view/directory-view.ts';

type DirectoryCountsProps = Readonly<{ counts: DirectoryView['counts']; isFiltered: boolean }>;

/** How many events are on, coming up and past; a live region. */
export function DirectoryCounts({ counts, isFiltered }: DirectoryCountsProps) {
  const { onNow, comingUp, past, all } = counts;
  const parts = [
    { count: comingUp, words: 'coming up' },
    { count: past, words: 'past' },
  ];
  return (
    <p className="directory-counts" role="status">
      {isFiltered && <span>{toMatchCount(all)}</span>}
      {(onNow > 0 || !isFiltered) && (
        <strong data-lit={onNow > 0 || undefined}>{formatCount(onNow)} on now</strong>
      )}
      {parts.map(({ count, words }) =>
        count > 0 ? (
          <span key={words}>
            {formatCount(count)} {words}
          </span>
        ) : null,
      )}
    </p>
  );
}

function toMatchCount(count: number): string {
  if (count === 0) return 'No event matches.';
  return count === 1 ? '1 event matches:' : `${formatCount(count)} events match:`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
