import type { Paging } from '#lib/admin/paging.ts';

type PagerProps = Readonly<{
  path: string;
  /** The filters that are on. */
  query: Readonly<Record<string, string | undefined>>;
  paging: Paging;
}>;

/** Links to the pages before and after; nothing for a list of one page. */
export function Pager({ path, query, paging: { page, pages } }: PagerProps) {
  if (pages === 1) return null;
  const toHref = (other: number) => {
    const filters = Object.entries(query).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    );
    return `${path}?${new URLSearchParams([...filters, ['page', String(other)]])}`;
  };
  return (
    <nav className="admin-pager" aria-label="Pages">
      {page > 1 && (
        <a className="button-quiet" rel="prev" href={toHref(Math.min(page - 1, pages))}>
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
