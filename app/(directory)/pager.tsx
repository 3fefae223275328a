import { type FilterTexts, toSearch } from '#lib/events/query/filters.ts';
import type { DirectoryView } from '#lib/events/view/directory-view.ts';

type PagerProps = Readonly<{ filters: FilterTexts; paging: NonNullable<DirectoryView['paging']> }>;

/** Links to the previous and next page of a long list. */
export function Pager({ filters, paging: { page, pages } }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 && (
        <a className="button-quiet" rel="prev" href={`/${toSearch(filters, page - 1)}`}>
          Previous
        </a>
      )}
      <span className="mono">
        {page} of {pages}
      </span>
      {page < pages && (
        <a className="button-quiet" rel="next" href={`/${toSearch(filters, page + 1)}`}>
          Next
        </a>
      )}
    </nav>
  );
}
