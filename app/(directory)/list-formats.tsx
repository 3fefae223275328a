import { type FilterTexts, toListSearch, toSearch } from '#lib/events/query/filters.ts';

type ListFormatsProps = Readonly<{ filters: FilterTexts; page: number }>;

/** The list in other formats, with its filters, for developers. */
export function ListFormats({ filters, page }: ListFormatsProps) {
  const search = toListSearch(filters);
  const links = {
    // Only pages are paged.
    Markdown: `/index.md${toSearch(filters, page)}`,
    JSON: `/api/v1/events${search}`,
    RSS: `/api/v1/events/rss${search}`,
    'JSON Feed': `/api/v1/events/feed.json${search}`,
    iCalendar: `/api/v1/events/calendar.ics${search}`,
  };
  return (
    <nav className="list-formats" aria-label="This list in other formats">
      <span>This list as</span>
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
