/** What the forms of an event have to know of the site that serves them. */
export type Site = Readonly<{
  name: string;
  /** Public address, without a slash at its end. */
  url: string;
}>;

type Identified = Readonly<{ id: string }>;

/** Addresses that are the same whatever the events are. Every absolute link is made in this file. */
const paths = {
  directory: '/',
  list: '/api/v1/events',
  rss: '/api/v1/events/rss',
  jsonFeed: '/api/v1/events/feed.json',
  calendar: '/api/v1/events/calendar.ics',
  openApi: '/api/v1/openapi.json',
  docs: '/docs',
  apiDocs: '/docs/api',
  errorDocs: '/docs/errors',
  versioningDocs: '/docs/versioning',
  aiDocs: '/docs/ai',
  models: '/models',
  llmsTxt: '/llms.txt',
  llmsFullTxt: '/llms-full.txt',
  sitemap: '/sitemap.xml',
} as const;

type PageName = keyof typeof paths;

/**
 * The absolute address of a page or a feed.
 * @param search a query to carry along: with its `?`, or empty.
 */
export function pageUrl(site: Site, page: PageName, search = ''): string {
  return `${site.url}${paths[page]}${search}`;
}

/** The Markdown twin of a page. */
export function pageMarkdownUrl(site: Site, page: PageName, search = ''): string {
  const path = page === 'directory' ? '/index' : paths[page];
  return `${site.url}${path}.md${search}`;
}

/** The list of events as JSON. */
export function listUrl(site: Site, search = ''): string {
  return pageUrl(site, 'list', search);
}

/** One event as JSON; by its id, which survives a rename. */
export function eventJsonUrl(site: Site, event: Identified): string {
  return `${site.url}${paths.list}/${toSegment(event.id)}`;
}

/** An event's page. */
export function eventPageUrl(site: Site, slug: string): string {
  return `${site.url}/events/${toSegment(slug)}`;
}

/** The Markdown twin of an event's page. */
export function eventMarkdownUrl(site: Site, slug: string): string {
  return `${eventPageUrl(site, slug)}.md`;
}

/** One event as a calendar file. */
export function eventCalendarUrl(site: Site, slug: string): string {
  return `${eventPageUrl(site, slug)}.ics`;
}

/** A picture that we keep and serve, by its attachment's id. */
export function pictureUrl(site: Site, id: string): string {
  return `${site.url}/media/${toSegment(id)}`;
}

/** The picture that messengers show beside a link to an event: JPEG, 1200 × 630. */
export function eventImageUrl(site: Site, event: Identified): string {
  return `${site.url}/media/og/${toSegment(event.id)}.jpg`;
}

/** The same for a page that is about no one event. */
export function siteImageUrl(site: Site): string {
  return `${site.url}/media/og.jpg`;
}

/**
 * What feeds call an event: a tag URI (RFC 4151). Its authority is a constant and its rest the record
 * id, so neither a new name nor a new home of the site turns old entries into new ones.
 */
export function eventTagUri(event: Identified): string {
  return `tag:marquee.events,2026:${toSegment(event.id)}`;
}

/** What calendars call an event (RFC 7986 §5.3): unique in the world for as long as the host is. */
export function eventCalendarUid(site: Site, event: Identified): string {
  return `${toSegment(event.id)}@${new URL(site.url).hostname}`;
}

// encodeURIComponent leaves `'()*!` alone: parentheses end a link in plain readers of Markdown.
function toSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** One part of a sitemap that is too long for one file, counted from 1. */
export function sitemapPartUrl(site: Site, part: number): string {
  return `${site.url}/sitemap/${part}.xml`;
}

/** The absolute address of a page, from its path. */
export function toPageUrl(site: Site, path: string): string {
  return `${site.url}${path}`;
}
