import { XMLBuilder } from 'fast-xml-parser';
import { parseDirectoryQuery, readSearchParams } from '#lib/events/query/directory-query.ts';
import { readFilterTexts, toSearch } from '#lib/events/query/filters.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { findRenamed } from '#lib/events/source/former-slugs.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { eventImageUrl, pageUrl, type Site, siteImageUrl } from '#lib/events/view/site-urls.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { toXmlText } from '#lib/events/words/clean-text.ts';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { toFrameHeight, toFrameHtml } from './embed-frame.ts';
import { embedCount } from './embed-query.ts';
import type { OEmbedQuery } from './oembed-query.ts';

/** A response of type `rich` (https://oembed.com, 2.3). */
export type OEmbed = Readonly<Record<string, string | number>>;

type Embedded = Readonly<{ title: string; search: string; count: number; imageUrl: string }>;

const usualWidth = 600;
const cacheSeconds = 3600;
const thumbnail = { width: 1200, height: 630 };

/**
 * Describes how to embed the list of events or an event.
 * @throws HttpError 404 for any other URL.
 */
export function toOEmbed(snapshot: EventsSnapshot, query: OEmbedQuery, site: Site): OEmbed {
  const { title, search, count, imageUrl } = findEmbedded(snapshot, query.url, site);
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

export function toOEmbedXml(response: OEmbed): string {
  const texts = Object.entries(response).map(([name, value]) => [name, toXmlText(String(value))]);
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'utf-8', '@_standalone': 'yes' },
    oembed: Object.fromEntries(texts),
  });
}

function findEmbedded(snapshot: EventsSnapshot, url: URL, site: Site): Embedded {
  if (url.origin !== new URL(site.url).origin) throw notEmbeddable();
  if (url.pathname === '/') return toEmbeddedList(url, site);
  const [, slug] = /^\/events\/([^/]+)$/.exec(url.pathname) ?? [];
  if (slug === undefined) throw notEmbeddable();
  const name = toDecoded(slug);
  const event = findRenamed(snapshot, name) ?? requireEvent(snapshot, name);
  const search = `?${new URLSearchParams({ event: event.id })}`;
  return { title: toEventTitle(event), search, count: 1, imageUrl: eventImageUrl(site, event) };
}

function toEmbeddedList({ search }: URL, site: Site): Embedded {
  const { filters } = parseDirectoryQuery(readSearchParams(search, []));
  const texts = toSearch(filters);
  const { title } = toSubscription(readFilterTexts(texts), site);
  return { title, search: texts, count: embedCount.usual, imageUrl: siteImageUrl(site) };
}

function toDecoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notEmbeddable();
  }
}

function notEmbeddable(): HttpError {
  return createApiError('not_found', {
    message: 'This URL cannot be embedded.',
    hint: 'Send the URL of the list of events, with filters if you like, or of an event of this site.',
  });
}
