type AreaNavProps<Path extends string> = Readonly<{
  /** What the pages are of, for screen readers. */
  label: string;
  areas: readonly (readonly [path: Path, name: string])[];
  /** That of the page. */
  path: Path;
}>;

/** The pages of a member, or of the admins. */
export function AreaNav<Path extends string>({ label, areas, path }: AreaNavProps<Path>) {
  return (
    <nav aria-label={label} className="area-nav">
      <ul>
        {areas.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={href === path ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
