import type { Paging } from '#lib/accounts/admin/paging.ts';
import { PageLinks } from '../../_components/page-links.tsx';

type PagerProps = Readonly<{
  path: string;
  /** The filters that are on. */
  query: Readonly<Record<string, string | undefined>>;
  paging: Paging;
}>;

/** Links to the previous and next page; nothing for a list of one page. */
export function Pager({ path, query, paging: { page, pages } }: PagerProps) {
  if (pages === 1) return null;
  const toHref = (other: number) => {
    const filters = Object.entries(query).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    );
    return `${path}?${new URLSearchParams([...filters, ['page', String(other)]])}`;
  };
  return <PageLinks className="admin-pager" {...{ page, pages, toHref }} />;
}
