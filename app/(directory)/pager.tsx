import { type DirectoryLayout, toDirectorySearch } from '#lib/events/query/directory-search.ts';
import type { FilterTexts } from '#lib/events/query/filters.ts';
import type { DirectoryView } from '#lib/events/view/directory/directory-view.ts';

type PagerProps = Readonly<{
  filters: FilterTexts;
  layout: DirectoryLayout;
  paging: NonNullable<DirectoryView['paging']>;
}>;

/** Links to the previous and next page of a long list. */
export function Pager({ filters, layout, paging: { page, pages } }: PagerProps) {
  const toHref = (other: number) => `/${toDirectorySearch({ filters, layout, page: other })}`;
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 && (
        <a className="button-quiet" rel="prev" href={toHref(page - 1)}>
          Previous
        </a>
      )}
      <span className="mono">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a className="button-quiet" rel="next" href={toHref(page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}
