import { type FilterTexts, toSearch } from '#lib/events/filters.ts';
import type { Wall } from '#lib/events/wall.ts';

type PagerProps = Readonly<{ filters: FilterTexts; paging: NonNullable<Wall['paging']> }>;

/** Turns the pages of a long list. */
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
