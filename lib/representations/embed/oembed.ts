import { XMLBuilder } from 'fast-xml-parser';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { respondFromSnapshot, type SnapshotParts } from '#lib/events/respond-from-snapshot.ts';
import { requireEventByAnySlug } from '#lib/events/search/require-event.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { findGroupAt, toGroupFilters, toGroupTitle } from '#lib/events/view/named-groups.ts';
import {
  eventImageUrl,
  pageUrl,
  readEventPath,
  type Site,
  siteImageUrl,
  toSitePath,
} from '#lib/events/view/site-urls.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { toXmlText } from '#lib/events/words/clean-text.ts';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { embedCount, toFrameHeight, toFrameHtml } from './embed-query.ts';

/** A response of type `rich` (https://oembed.com, 2.3). */
type OEmbed = Readonly<Record<string, string | number>>;

type Embedded = Readonly<{ title: string; search: string; count: number; imageUrl: string }>;

const usualWidth = 600;
const cacheSeconds = 3600;
const thumbnail = { width: 1200, height: 630 };

/**
 * Describes how to embed the list of events, that of a city, an organizer or a series, or an event.
 * @throws HttpError 404 for any other URL.
 */
export async function toOEmbed(
  snapshot: EventsSnapshot,
  query: OEmbedQuery,
  site: Site,
): Promise<OEmbed> {
  const { title, search, count, imageUrl } = await findEmbedded(snapshot, query.url, site);
  const width = Math.min(usualWidth, query.maxWidth);
  const height = Math.min(toFrameHeight(count), query.maxHeight);
  const hasThumbnail = query.maxWidth >= thumbnail.width && query.maxHeight >= thumbnail.height;
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: site.name,
    provider_url: pageUrl(site, 'directory'),
    cache_age: cacheSeconds,
    width,
    height,
    html: toFrameHtml({ src: pageUrl(site, 'embed', search), title, width, height }),
    ...(hasThumbnail && {
      thumbnail_url: imageUrl,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
}

const builder = new XMLBuilder({ format: true, ignoreAttributes: false });

function toOEmbedXml(response: OEmbed): string {
  const texts = Object.entries(response).map(([name, value]) => [name, toXmlText(String(value))]);
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'utf-8', '@_standalone': 'yes' },
    oembed: Object.fromEntries(texts),
  });
}

async function findEmbedded(snapshot: EventsSnapshot, url: URL, site: Site): Promise<Embedded> {
  const path = toSitePath(site, url);
  if (path === '/') return toEmbeddedList(parsePageQuery('subscribe', url.search).query, site);
  const slug = readEventPath(path);
  if (slug === null) {
    const group = findGroupAt(snapshot, path ?? '');
    if (group === undefined) throw notEmbeddable();
    return { ...toEmbeddedList(toGroupFilters(group), site), title: toGroupTitle(group) };
  }
  const event = await requireEventByAnySlug(snapshot, slug);
  const search = `?${new URLSearchParams({ event: event.id })}`;
  return { title: toEventTitle(event), search, count: 1, imageUrl: eventImageUrl(site, event) };
}

function toEmbeddedList(query: EventsQuery, site: Site): Embedded {
  const { title } = toSubscription(query, site);
  return {
    title,
    search: formatQuery(query),
    count: embedCount.usual,
    imageUrl: siteImageUrl(site),
  };
}

function notEmbeddable(): HttpError {
  return createApiError('not_found', {
    message: 'This URL cannot be embedded.',
    hint: 'Send the URL of the list of events, with filters if you like, of a city, an organizer or a series, or of an event of this site.',
  });
}

/** A request of an oEmbed consumer (https://oembed.com, 2.2). */
type OEmbedQuery = Readonly<{
  url: URL;
  /** In pixels; infinite if the consumer sets no limit. */
  maxWidth: number;
  maxHeight: number;
  /** `other` is a format that the protocol does not have, which gets a 501. */
  format: 'json' | 'xml' | 'other';
}>;

const urlLengthMax = 2_000;

/** @throws HttpError 400 for a missing URL or an impossible size, 404 for something that is no URL. */
export function parseOEmbedQuery(search: string): OEmbedQuery {
  const parameters = new URLSearchParams(search);
  const format = (parameters.get('format') || 'json').toLowerCase();
  return {
    url: parseUrl(parameters.get('url') ?? ''),
    maxWidth: parseSize('maxwidth', parameters),
    maxHeight: parseSize('maxheight', parameters),
    format: format === 'json' || format === 'xml' ? format : 'other',
  };
}

function parseUrl(text: string): URL {
  if (text === '') {
    throw createApiError('bad_request', {
      message: 'The parameter `url` is missing.',
      hint: 'Send the URL of the page to embed, percent-encoded: `/oembed?url=https%3A%2F%2F…`.',
    });
  }
  const url = text.length > urlLengthMax ? null : URL.parse(text);
  if (url === null) {
    throw createApiError('not_found', {
      message: 'The parameter `url` is not an absolute URL of this site.',
    });
  }
  return url;
}

function parseSize(name: 'maxwidth' | 'maxheight', parameters: URLSearchParams): number {
  const text = parameters.get(name);
  if (text === null || text === '') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw createApiError('bad_request', {
    message: `Invalid value for the parameter \`${name}\`.`,
    hint: `\`${name}\` must be a number of pixels from 1 to 99999.`,
  });
}

type Parts = SnapshotParts & Readonly<{ site: Site }>;

const contentTypes = { json: 'application/json', xml: 'text/xml' } as const;

/**
 * Describes how to embed a page of this site, as JSON or XML (https://oembed.com).
 * @throws HttpError 400 for an invalid query, 404 for a URL that cannot be embedded.
 */
export async function respondWithOEmbed(request: Request, parts: Parts): Promise<Response> {
  const { site, events } = parts;
  const query = parseOEmbedQuery(new URL(request.url).search);
  const { format } = query;
  if (format === 'other') return respondNotImplemented();
  const snapshot = await events.current();
  const response = await toOEmbed(snapshot, query, site);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `oembed ${format} ${JSON.stringify(response)}`,
    contentType: `${contentTypes[format]}; charset=utf-8`,
    write: () => (format === 'json' ? `${JSON.stringify(response)}\n` : toOEmbedXml(response)),
  });
}

// The protocol asks for a 501, which no endpoint of the API has.
function respondNotImplemented(): Response {
  return createResponse({
    status: 501,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['Cache-Control', 'no-store'],
    ],
    body: 'This format is not supported. Use format=json or format=xml.\n',
  });
}
