import type { DirectoryView } from '#lib/events/view/directory/directory-view.ts';
import { sectionTitles } from '#lib/events/view/directory/sections.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { onPlainClick } from '../../_components/use-url-history.ts';

type DirectoryCountsProps = Readonly<{
  view: DirectoryView;
  isFiltered: boolean;
  onClear: () => void;
}>;

/** How many events there are, with links to their sections; a live region. */
export function DirectoryCounts({ view, isFiltered, onClear }: DirectoryCountsProps) {
  return (
    <p className="directory-counts">
      <span role="status">
        {isFiltered && <span>{toMatchCount(view.total)}</span>}
        {view.sections.map(({ kind, total, events }) => (
          <span key={kind} data-kind={kind}>
            {/* Another page of the list has its posters. */}
            {events.length > 0 ? (
              <a href={`#${kind}`}>
                {formatCount(total)} {sectionTitles[kind].toLowerCase()}
              </a>
            ) : (
              `${formatCount(total)} ${sectionTitles[kind].toLowerCase()}`
            )}
          </span>
        ))}
      </span>
      {isFiltered && (
        <a className="clear-filters" href="/" onClick={onPlainClick(onClear)}>
          Clear filters
        </a>
      )}
    </p>
  );
}

function toMatchCount(count: number): string {
  if (count === 0) return 'No events match.';
  return formatCountOf(count, 'event');
}
