import { type DirectoryLayout, toDirectorySearch } from '#lib/events/query/directory-search.ts';
import type { FilterTexts } from '#lib/events/query/filters.ts';
import type { DirectoryView } from '#lib/events/view/directory/directory-view.ts';
import { PageLinks } from '../_components/page-links.tsx';

type PagerProps = Readonly<{
  filters: FilterTexts;
  layout: DirectoryLayout;
  paging: NonNullable<DirectoryView['paging']>;
}>;

/** Links to the previous and next page of a long list. */
export function Pager({ filters, layout, paging: { page, pages } }: PagerProps) {
  const toHref = (other: number) => `/${toDirectorySearch({ filters, layout, page: other })}`;
  return <PageLinks className="pager" {...{ page, pages, toHref }} />;
}
