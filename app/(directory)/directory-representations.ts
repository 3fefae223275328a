import { readFilterTexts, toSearch } from '#lib/events/query/filters.ts';

/**
 * The forms of the directory, with the filters that are on carried into each address. The feed of
 * announcements takes none: it has the latest of all events.
 * @param page number of the page that is shown; what programs read has no pages.
 */
export function toDirectoryRepresentations(
  search: string,
  page: number,
): Readonly<Record<string, string>> {
  const paged = toSearch(readFilterTexts(search), page);
  return {
    Page: `/${paged}`,
    Markdown: `/index.md${paged}`,
    JSON: `/api/v1/events${search}`,
    RSS: '/api/v1/events/rss',
    Calendar: `/api/v1/events/calendar.ics${search}`,
  };
}
