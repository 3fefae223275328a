import {
  eventCalendarUrl,
  eventJsonUrl,
  eventMarkdownUrl,
  eventPageUrl,
  listUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
  toPageUrl,
} from './site-urls.ts';

/** A representation of a page, with its media type. */
export type PageRepresentation = Readonly<{ type: string; url: string }>;

/** The representations of the directory. */
export function listDirectoryRepresentations(site: Site): PageRepresentation[] {
  return [
    { type: 'text/html', url: pageUrl(site, 'directory') },
    { type: 'text/markdown', url: pageMarkdownUrl(site, 'directory') },
    { type: 'application/json', url: listUrl(site) },
    { type: 'application/rss+xml', url: pageUrl(site, 'rss') },
    { type: 'application/feed+json', url: pageUrl(site, 'jsonFeed') },
    { type: 'text/calendar', url: pageUrl(site, 'calendar') },
  ];
}

/** The representations of an event. @param name its slug or id. */
export function listEventRepresentations(site: Site, name: string): PageRepresentation[] {
  return [
    { type: 'text/html', url: eventPageUrl(site, name) },
    { type: 'text/markdown', url: eventMarkdownUrl(site, name) },
    { type: 'application/json', url: eventJsonUrl(site, { id: name }) },
    { type: 'text/calendar', url: eventCalendarUrl(site, name) },
  ];
}

/** The representations of any other page. */
export function listTextRepresentations(site: Site, path: string): PageRepresentation[] {
  return [
    { type: 'text/html', url: toPageUrl(site, path) },
    { type: 'text/markdown', url: `${toPageUrl(site, path)}.md` },
  ];
}
