import type { MarqueeEvent } from '../model/schema.ts';
import { calendarRow, feedRows, representationTable } from './representation-table.ts';
import {
  eventCalendarUrl,
  eventJsonUrl,
  eventMarkdownUrl,
  eventPageUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
  toPageUrl,
} from './site-urls.ts';

type HeaderPair = readonly ['Link', string];

/** The Link header of API responses (RFC 8288): feeds, OpenAPI description and documentation. */
export function apiLinks(site: Site, more: readonly string[] = []): HeaderPair {
  return ['Link', [...feedLinks(site), ...serviceLinks(site), ...more].join(', ')];
}

/** The Link header of a single event: its page, Markdown, calendar file, and the documentation. */
export function eventLinks(site: Site, event: MarqueeEvent): HeaderPair {
  const { slug, status } = event;
  const own = [
    toLink(eventPageUrl(site, slug), 'alternate', 'text/html'),
    toLink(eventMarkdownUrl(site, slug), 'alternate', 'text/markdown'),
    ...(status === 'ended'
      ? []
      : [toLink(eventCalendarUrl(site, slug), 'alternate', 'text/calendar')]),
  ];
  return ['Link', [...own, ...serviceLinks(site)].join(', ')];
}

/** By which subscribers find the hub of a feed (W3C WebSub §4). */
export function hubLinks(hub: string, selfUrl: string): string[] {
  return [`<${new URL(hub).href}>; rel="hub"`, `<${selfUrl}>; rel="self"`];
}

function feedLinks(site: Site): string[] {
  return [...feedRows, calendarRow].map(({ path, mediaType }) =>
    toLink(toPageUrl(site, path), 'alternate', mediaType),
  );
}

/** The links by which agents discover the site's services (RFC 9727 §3). */
export function agentLinks(site: Site): string[] {
  return [
    toLink(pageUrl(site, 'apiCatalog'), 'api-catalog', 'application/linkset+json'),
    ...serviceLinks(site),
    toLink(pageUrl(site, 'agentSkills'), 'describedby', 'application/json'),
  ];
}

function serviceLinks(site: Site): string[] {
  return [
    toLink(pageUrl(site, 'openApi'), 'service-desc', 'application/json'),
    toLink(pageUrl(site, 'apiDocs'), 'service-doc', 'text/html'),
    toLink(pageUrl(site, 'llmsTxt'), 'describedby', 'text/plain'),
  ];
}

export function toLink(url: string, relation: string, type: string): string {
  return `<${url}>; rel="${relation}"; type="${type}"`;
}

/** A representation of a page, with its media type. */
export type PageRepresentation = Readonly<{ type: string; url: string }>;

/** The representations of the directory. */
export function listDirectoryRepresentations(site: Site): PageRepresentation[] {
  return [
    { type: 'text/html', url: pageUrl(site, 'directory') },
    { type: 'text/markdown', url: pageMarkdownUrl(site, 'directory') },
    ...representationTable.map(({ path, mediaType }) => ({
      type: mediaType,
      url: toPageUrl(site, path),
    })),
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
