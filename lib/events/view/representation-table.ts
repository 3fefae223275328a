/** A representation of the list of events, with its filters. */
type RepresentationRow = Readonly<{
  /** In lists of links. */
  title: string;
  path: string;
  mediaType: string;
}>;

type FeedRow = RepresentationRow &
  Readonly<{
    /** Its title with the version. */
    standard: string;
    /** In the OpenAPI description. */
    operationId: string;
  }>;

export const listRow = {
  title: 'JSON',
  path: '/api/v1/events',
  mediaType: 'application/json',
} as const satisfies RepresentationRow;

/** The feeds of what was announced last, in the order in which pages link to them. */
export const feedTable = {
  rss: {
    title: 'RSS',
    standard: 'RSS 2.0',
    path: '/api/v1/events/rss',
    mediaType: 'application/rss+xml',
    operationId: 'getEventsFeed',
  },
  atom: {
    title: 'Atom',
    standard: 'Atom 1.0',
    path: '/api/v1/events/feed.atom',
    mediaType: 'application/atom+xml',
    operationId: 'getEventsAtomFeed',
  },
  json: {
    title: 'JSON Feed',
    standard: 'JSON Feed 1.1',
    path: '/api/v1/events/feed.json',
    mediaType: 'application/feed+json',
    operationId: 'getEventsJsonFeed',
  },
} as const satisfies Readonly<Record<string, FeedRow>>;

export type FeedType = keyof typeof feedTable;

export const feedRows = Object.values(feedTable);

export const calendarRow = {
  title: 'iCalendar',
  path: '/api/v1/events/calendar.ics',
  mediaType: 'text/calendar',
} as const satisfies RepresentationRow;

/** What pages with a list of events link to, besides their Markdown. */
export const representationTable: readonly RepresentationRow[] = [
  listRow,
  ...feedRows,
  calendarRow,
];
