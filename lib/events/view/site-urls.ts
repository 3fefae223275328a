import { type EventsQuery, formatQuery } from '../query/events-query.ts';
import { calendarRow, type FeedType, feedTable, listRow } from './representation-table.ts';
import type { SiteNotice } from './site-notice.ts';

export type Site = Readonly<{
  name: string;
  /** Public URL, without a trailing slash. */
  url: string;
  /** That is shown now; left out or null: none. */
  notice?: SiteNotice | null;
}>;

type Identified = Readonly<{ id: string }>;

/** Fixed paths. All absolute URLs are built in this file. */
const paths = {
  directory: '/',
  list: listRow.path,
  rss: feedTable.rss.path,
  calendar: calendarRow.path,
  openApi: '/api/v1/openapi.json',
  docs: '/docs',
  apiDocs: '/docs/api',
  errorDocs: '/docs/errors',
  versioningDocs: '/docs/versioning',
  aiDocs: '/docs/ai',
  agentsDocs: '/docs/agents',
  operateDocs: '/docs/operate',
  settingsDocs: '/docs/settings',
  aiProxy: '/proxy/v1',
  aiProxyOpenApi: '/proxy/v1/openapi.json',
  mcp: '/mcp',
  mcpServerCard: '/mcp/server-card',
  apiCatalog: '/.well-known/api-catalog',
  agentSkills: '/.well-known/agent-skills/index.json',
  findEventsSkill: '/.well-known/agent-skills/find-events/SKILL.md',
  securityTxt: '/.well-known/security.txt',
  health: '/health',
  month: '/calendar',
  recent: '/recent',
  changes: '/changes',
  changesList: '/api/v1/events/changes',
  changesRss: '/api/v1/events/changes/rss',
  subscribe: '/subscribe',
  map: '/map',
  embed: '/embed',
  oEmbed: '/oembed',
  models: '/models',
  llmsTxt: '/llms.txt',
  llmsFullTxt: '/llms-full.txt',
  sitemap: '/sitemap.xml',
} as const;

type PageName = keyof typeof paths;

/**
 * The absolute URL of a page or a feed.
 * @param search a query with its `?`, or empty.
 */
export function pageUrl(site: Site, page: PageName, search = ''): string {
  return `${site.url}${paths[page]}${search}`;
}

/** The canonical URL of a feed with its filters. */
export function feedUrl(site: Site, type: FeedType, query: EventsQuery): string {
  return toPageUrl(site, feedTable[type].path + formatQuery(query));
}

/** The Markdown of a page. */
export function pageMarkdownUrl(site: Site, page: PageName, search = ''): string {
  return `${site.url}${toMarkdownPath(paths[page])}${search}`;
}

/** The path of a page's Markdown. */
export function toMarkdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}

/** An event as JSON, by its id, which never changes. */
export function eventJsonUrl(site: Site, event: Identified): string {
  return `${site.url}${paths.list}/${toSegment(event.id)}`;
}

/** An event's page. */
export function eventPageUrl(site: Site, slug: string): string {
  return `${site.url}/events/${toSegment(slug)}`;
}

/**
 * The path of a URL of this site, decoded and without a slash at its end, which people add.
 * @returns null for another site's, or one that cannot be decoded
 */
export function toSitePath(site: Site, url: URL | null): string | null {
  if (url?.origin !== new URL(site.url).origin) return null;
  try {
    return decodeURIComponent(url.pathname.replace(/(?<=.)\/$/, ''));
  } catch {
    return null;
  }
}

/** The slug in the path of an event's page or its Markdown; null for any other path. */
export function readEventPath(path: string | null): string | null {
  return /^\/events\/([^/]+?)(?:\.md)?$/.exec(path ?? '')?.[1] ?? null;
}

/** An event's page as Markdown. */
export function eventMarkdownUrl(site: Site, slug: string): string {
  return `${eventPageUrl(site, slug)}.md`;
}

/** An event as a calendar file. */
export function eventCalendarUrl(site: Site, slug: string): string {
  return `${eventPageUrl(site, slug)}.ics`;
}

/** A stored picture, by its attachment's id. */
export function pictureUrl(site: Site, id: string): string {
  return `${site.url}/media/${toSegment(id)}`;
}

/** The Open Graph image of an event: JPEG, 1200 × 630. */
export function eventImageUrl(site: Site, event: Identified): string {
  return `${site.url}/media/og/${toSegment(event.id)}.jpg`;
}

/** The Open Graph image of all other pages. */
export function siteImageUrl(site: Site): string {
  return `${site.url}/media/og.jpg`;
}

/**
 * An event's id in feeds, a tag URI (RFC 4151). Its authority is a constant and the rest the record id, so
 * entries stay the same when the event is renamed or the site moves.
 */
export function eventTagUri(event: Identified): string {
  return `tag:marquee.events,2026:${toSegment(event.id)}`;
}

/** An event's UID in calendars (RFC 7986 §5.3), and that of its days at its place. */
export function eventCalendarUid(
  site: Site,
  event: Identified,
  kind: 'event' | 'in-person',
): string {
  const uid = `${toSegment(event.id)}@${new URL(site.url).hostname}`;
  return kind === 'event' ? uid : `${uid}-${kind}`;
}

// encodeURIComponent does not escape `'()*!`, but parentheses end a link in simple Markdown parsers.
function toSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A part of a long sitemap, counted from 1. */
export function sitemapPartUrl(site: Site, part: number): string {
  return `${site.url}/sitemap/${part}.xml`;
}

/** The absolute URL of a path. */
export function toPageUrl(site: Site, path: string): string {
  return `${site.url}${path}`;
}
