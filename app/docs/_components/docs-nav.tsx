type Entry = Readonly<{ path: string; title: string }>;

type DocsNavProps = Readonly<{
  pages: readonly Entry[];
  current: string;
  /** Headings of the current page. */
  headings: readonly Readonly<{ anchor: string; title: string }>[];
}>;

export function DocsNav({ pages, current, headings }: DocsNavProps) {
  return (
    <div className="docs-nav">
      <nav aria-label="Documentation">
        <ul>
          {pages.map(({ path, title }) => (
            <li key={path}>
              <a href={path} aria-current={path === current ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {headings.length > 1 && (
        <details>
          <summary>On this page</summary>
          <nav aria-label="On this page">
            <ul>
              {headings.map(({ anchor, title }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        </details>
      )}
    </div>
  );
}
