/**
 * The forms of the directory, with the filters that are on carried into each address. The feed of
 * announcements takes none: it has the latest of all events.
 */
export function toDirectoryForms(search: string): Readonly<Record<string, string>> {
  return {
    Page: `/${search}`,
    Markdown: `/index.md${search}`,
    JSON: `/api/v1/events${search}`,
    RSS: '/api/v1/events/rss',
    Calendar: `/api/v1/events/calendar.ics${search}`,
  };
}
