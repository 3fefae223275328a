import { type EventsQuery, formatListQuery } from '#lib/events/query/events-query.ts';
import { representationTable } from '#lib/events/view/representation-table.ts';

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

/** A list of events in other formats, with its filters. */
export function toListFormats(markdown: string, filters: EventsQuery) {
  return { Markdown: markdown, ...toPathsByTitle(representationTable, filters) };
}

type Linked = Readonly<{ title: string; path: string }>;

/** Representations of a list of events with filters. */
export function toPathsByTitle(
  rows: readonly Linked[],
  filters: EventsQuery = {},
): Record<string, string> {
  const search = formatListQuery(filters);
  return Object.fromEntries(rows.map(({ title, path }) => [title, path + search]));
}
