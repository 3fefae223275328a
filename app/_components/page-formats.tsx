type PageFormatsProps = Readonly<{
  /** What the formats are of: “This page as …”. */
  subject?: 'page' | 'list' | 'month';
  /** Paths by name. */
  links: Readonly<Record<string, string>>;
}>;

/** The other formats of a page, for developers. */
export function PageFormats({ subject = 'page', links }: PageFormatsProps) {
  return (
    <nav className="page-formats" aria-label={`This ${subject} in other formats`}>
      <span>This {subject} as</span>
      <ul>
        {Object.entries(links).map(([name, path]) => (
          <li key={name}>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
