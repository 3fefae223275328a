import { XMLBuilder } from 'fast-xml-parser';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import { eventPageUrl, type Site, sitemapPartUrl, toPageUrl } from './site.ts';

/** The most that one file may hold (https://www.sitemaps.org/protocol.html). */
export const sitemapAddressesMax = 50_000;

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const builder = new XMLBuilder({ format: true, ignoreAttributes: false });

type Contents = Readonly<{
  site: Site;
  /** Pages beside those of events, without the site's address. */
  paths: readonly string[];
  events: readonly MarqueeEvent[];
}>;

/**
 * The addresses of all pages for search engines; where they are more than one file may hold, the list of
 * the files that hold them. It tells no dates of change: the table has none, and made-up ones are ignored.
 */
export function toSitemap(contents: Contents): string {
  const count = countSitemapParts(contents);
  if (count === 1) return toUrlSet(listAddresses(contents));
  const parts = Array.from({ length: count }, (_, index) => ({
    loc: sitemapPartUrl(contents.site, index + 1),
  }));
  return build('sitemapindex', { sitemap: parts });
}

/** One of the files that the list leads to, counted from 1. */
export function toSitemapPart(contents: Contents, part: number): string {
  const start = (part - 1) * sitemapAddressesMax;
  return toUrlSet(listAddresses(contents).slice(start, start + sitemapAddressesMax));
}

/** How many files it takes. */
export function countSitemapParts({ paths, events }: Contents): number {
  return Math.max(1, Math.ceil((paths.length + events.length) / sitemapAddressesMax));
}

function listAddresses({ site, paths, events }: Contents): string[] {
  return [
    ...paths.map((path) => toPageUrl(site, path)),
    ...events.map((event) => eventPageUrl(site, event.slug)),
  ];
}

function toUrlSet(addresses: readonly string[]): string {
  return build('urlset', { url: addresses.map((loc) => ({ loc })) });
}

function build(root: string, children: Readonly<Record<string, unknown>>): string {
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    [root]: { '@_xmlns': namespace, ...children },
  });
}
