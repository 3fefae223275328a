type PageLinksProps = Readonly<{
  className: string;
  page: number;
  pages: number;
  toHref: (page: number) => string;
}>;

/** Links to the previous and next page of a long list. */
export function PageLinks({ className, page, pages, toHref }: PageLinksProps) {
  return (
    <nav className={className} aria-label="Pages">
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
