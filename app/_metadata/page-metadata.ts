import type { Metadata } from 'next';
import { type Site, siteImageUrl, toPageUrl } from '#lib/events/view/site-urls.ts';
import { toMarkdownPath } from '#lib/pages/classify-url.ts';

/** Size of every Open Graph image, in pixels. */
const pictureSize = { width: 1200, height: 630 };

type PageMetadata = Readonly<{
  site: Site;
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
  /** Path of its calendar; the default is that of all events. */
  calendar?: string;
}>;

/** Metadata of a page, for search engines, link previews and agents. */
export function toPageMetadata(page: PageMetadata): Metadata {
  const { site, path, title, description, picture = siteImageUrl(site) } = page;
  const images = [{ url: picture, ...pictureSize, alt: title }];
  return {
    metadataBase: new URL(site.url),
    title: path === '/' ? { absolute: title } : title,
    description,
    alternates: toAlternates(path, page),
    openGraph: { type: 'website', siteName: site.name, url: path, title, description, images },
    twitter: { card: 'summary_large_image', title, description, images },
  };
}

/** Metadata that all pages share. */
export function toSiteMetadata(site: Site): Metadata {
  return {
    metadataBase: new URL(site.url),
    title: { default: `${site.name}: events`, template: `%s · ${site.name}` },
    description: 'Events of a community of makers: what is on now, what is coming up.',
    applicationName: site.name,
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        { url: '/favicon.ico', sizes: '32x32' },
        { url: '/icon.svg', type: 'image/svg+xml' },
      ],
      apple: '/apple-touch-icon.png',
    },
    formatDetection: { telephone: false, date: false, address: false, email: false },
  };
}

/** Links to the Markdown of a page and to the feeds of all events. */
function toAlternates(
  path: string,
  others: Pick<PageMetadata, 'site' | 'markdown' | 'calendar' | 'embeds'>,
): NonNullable<Metadata['alternates']> {
  const { site, embeds } = others;
  const { markdown = toMarkdownPath(path), calendar = '/api/v1/events/calendar.ics' } = others;
  return {
    canonical: path,
    types: {
      'text/markdown': markdown,
      'application/rss+xml': '/api/v1/events/rss',
      'application/feed+json': '/api/v1/events/feed.json',
      'text/calendar': calendar,
      ...(embeds !== undefined && { 'application/json+oembed': toOEmbedPath(site, embeds) }),
    },
  };
}

function toOEmbedPath(site: Site, path: string): string {
  return `/oembed?${new URLSearchParams({ url: toPageUrl(site, path), format: 'json' })}`;
}
