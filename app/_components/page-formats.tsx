import { type EventsQuery, formatListQuery } from '#lib/events/query/events-query.ts';

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
  const search = formatListQuery(filters);
  return {
    Markdown: markdown,
    JSON: `/api/v1/events${search}`,
    RSS: `/api/v1/events/rss${search}`,
    'JSON Feed': `/api/v1/events/feed.json${search}`,
    iCalendar: `/api/v1/events/calendar.ics${search}`,
  };
}
