import type { Metadata } from 'next';
import { type Site, siteImageUrl } from '#lib/events/view/site-urls.ts';
import { toAlternates } from './alternates.ts';

/** What every picture that goes with a link measures, in pixels. */
const pictureSize = { width: 1200, height: 630 };

type PageMetadata = Readonly<{
  site: Site;
  /** Where the page is, without its host: the one address that counts for search engines. */
  path: string;
  title: string;
  description: string;
  /** Address of the picture that goes with a link to it; that of the site where none is given. */
  picture?: string;
  /** Address of its Markdown twin, where filters are carried along. */
  markdown?: string;
  /** Address of a calendar with what it is about; that of all events where none is given. */
  calendar?: string;
}>;

/** What search engines, messengers and agents read in the head of a page. */
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

/** What is the same in the head of every page: for the layout. */
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
