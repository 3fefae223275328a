import type { MarqueeEvent } from '../model/schema.ts';
import { eventCalendarUrl, eventMarkdownUrl, eventPageUrl, type Site } from './site-urls.ts';

type HeaderPair = readonly ['Link', string];

/** The Link header of API responses (RFC 8288): feeds, OpenAPI description and documentation. */
export function apiLinks(site: Site): HeaderPair {
  return ['Link', [...feedLinks(site), ...serviceLinks(site)].join(', ')];
}

/** The Link header of a single event: its page, Markdown, calendar file, and the documentation. */
export function eventLinks(site: Site, event: MarqueeEvent): HeaderPair {
  const { slug, status } = event;
  const own = [
    link(eventPageUrl(site, slug), 'alternate', 'text/html'),
    link(eventMarkdownUrl(site, slug), 'alternate', 'text/markdown'),
    ...(status === 'ended'
      ? []
      : [link(eventCalendarUrl(site, slug), 'alternate', 'text/calendar')]),
  ];
  return ['Link', [...own, ...serviceLinks(site)].join(', ')];
}

function feedLinks({ url }: Site): string[] {
  return [
    link(`${url}/api/v1/events/rss`, 'alternate', 'application/rss+xml'),
    link(`${url}/api/v1/events/feed.json`, 'alternate', 'application/feed+json'),
    link(`${url}/api/v1/events/calendar.ics`, 'alternate', 'text/calendar'),
  ];
}

function serviceLinks({ url }: Site): string[] {
  return [
    link(`${url}/api/v1/openapi.json`, 'service-desc', 'application/json'),
    link(`${url}/docs/api`, 'service-doc', 'text/html'),
    link(`${url}/llms.txt`, 'describedby', 'text/plain'),
  ];
}

function link(url: string, relation: string, type: string): string {
  return `<${url}>; rel="${relation}"; type="${type}"`;
}
