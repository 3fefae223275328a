import type { Metadata } from 'next';
import { type EventsQuery, formatListQuery } from '#lib/events/query/events-query.ts';
import { calendarRow, feedRows } from '#lib/events/view/representation-table.ts';
import { type Site, siteImageUrl, toMarkdownPath, toPageUrl } from '#lib/events/view/site-urls.ts';
import { toFiltersInWords } from '#lib/events/words/filter-words.ts';
import { getServices } from '#lib/services.ts';

/** Size of every Open Graph image, in pixels. */
const pictureSize = { width: 1200, height: 630 };

type PageMetadata = Readonly<{
  /** Canonical path of the page. */
  path: string;
  title: string;
  description: string;
  /** URL of its Open Graph image; the default is that of the site. */
  picture?: string;
  /** Path of its Markdown, where that has filters. */
  markdown?: string;
  /** The same page as it can be embedded elsewhere: its path and query. */
  embeds?: string;
  /** The filters that are on: its feeds and its calendar have them too. */
  filters?: EventsQuery;
  /** Its own calendar; the default is that of the list. */
  calendar?: Readonly<{ path: string; title: string }>;
  /** Whether search engines may list it; by default they may. */
  isIndexed?: boolean;
}>;

/** Metadata of a page, for search engines, link previews and agents. */
export function toPageMetadata(page: PageMetadata): Metadata {
  const { site } = getServices();
  const { path, title, description, picture = siteImageUrl(site) } = page;
  const images = [{ url: picture, ...pictureSize, alt: title }];
  return {
    metadataBase: new URL(site.url),
    title: path === '/' ? { absolute: title } : title,
    description,
    ...(page.isIndexed === false && { robots: { index: false } }),
    alternates: toAlternates(site, page),
    openGraph: { type: 'website', siteName: site.name, url: path, title, description, images },
    twitter: { card: 'summary_large_image', title, description, images },
  };
}

/** Links to the Markdown of a page and to feeds. Readers offer a feed by its title, so it says whose it is. */
function toAlternates(site: Site, { path, title, filters = {}, ...others }: PageMetadata) {
  const { markdown = toMarkdownPath(path), embeds } = others;
  const search = formatListQuery(filters);
  const words = toFiltersInWords(filters);
  const whose = words === '' ? site.name : `${site.name}: ${words}`;
  const newEvents = `New events of ${whose}`;
  const list = {
    path: calendarRow.path + search,
    title: `${words === '' ? 'All events' : 'Events'} of ${whose}`,
  };
  const calendar = others.calendar ?? list;
  return {
    canonical: path,
    types: {
      'text/markdown': [{ url: markdown, title }],
      ...Object.fromEntries(
        feedRows.map(({ path, mediaType }) => [
          mediaType,
          [{ url: path + search, title: newEvents }],
        ]),
      ),
      [calendarRow.mediaType]: [{ url: calendar.path, title: calendar.title }],
      ...(embeds !== undefined && {
        'application/json+oembed': [{ url: toOEmbedPath(site, embeds), title }],
      }),
    },
  } satisfies Metadata['alternates'];
}

function toOEmbedPath(site: Site, path: string): string {
  return `/oembed?${new URLSearchParams({ url: toPageUrl(site, path), format: 'json' })}`;
}
