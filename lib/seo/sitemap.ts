import { XMLBuilder } from 'fast-xml-parser';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { YieldWhenDue } from '#lib/events/store/time-slices.ts';
import { eventPageUrl, type Site, sitemapPartUrl, toPageUrl } from '#lib/events/view/site-urls.ts';

/** The most that one file may hold (https://www.sitemaps.org/protocol.html). */
export const sitemapUrlsMax = 50_000;

const namespace = { '@_xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9' } as const;
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
const imageNamespace = { '@_xmlns:image': 'http://www.google.com/schemas/sitemap-image/1.1' };
const namespaces = { urlset: { ...namespace, ...imageNamespace }, sitemapindex: namespace };

const builder = new XMLBuilder({ format: true, ignoreAttributes: false });

/** How many addresses are written before waiting requests get their turn. */
const slice = 500;

/** Stands where the addresses will, while what is around them is built. */
const gap = 'addresses';

type Contents = Readonly<{
  site: Site;
  /** Pages beside those of events, without the site's address. */
  paths: readonly string[];
  events: readonly MarqueeEvent[];
}>;

type Entry = Readonly<{ loc: string; 'image:image'?: Readonly<{ 'image:loc': string }> }>;

/**
 * The addresses of all pages for search engines, and the pictures of events; where they are more than one
 * file may hold, the list of the files that hold them. It tells no dates of change: the table does not say
 * when a row was changed last, and search engines stop believing dates that turn out to be made up.
 */
export async function toSitemap(contents: Contents, yieldWhenDue?: YieldWhenDue): Promise<string> {
  const count = countSitemapParts(contents);
  if (count === 1) return write('urlset', listEntries(contents), yieldWhenDue);
  const parts = Array.from({ length: count }, (_, index) => ({
    loc: sitemapPartUrl(contents.site, index + 1),
  }));
  return write('sitemapindex', parts, yieldWhenDue);
}

/** One of the files that the list leads to, counted from 1. */
export async function toSitemapPart(
  contents: Contents,
  part: number,
  yieldWhenDue?: YieldWhenDue,
): Promise<string> {
  const start = (part - 1) * sitemapUrlsMax;
  const entries = listEntries(contents).slice(start, start + sitemapUrlsMax);
  return write('urlset', entries, yieldWhenDue);
}

/** How many files it takes. */
export function countSitemapParts({ paths, events }: Contents): number {
  return Math.max(1, Math.ceil((paths.length + events.length) / sitemapUrlsMax));
}

function listEntries({ site, paths, events }: Contents): Entry[] {
  return [
    ...paths.map((path) => ({ loc: toPageUrl(site, path) })),
    ...events.map((event) => toEventEntry(event, site)),
  ];
}

function toEventEntry({ slug, pictures }: MarqueeEvent, site: Site): Entry {
  const loc = eventPageUrl(site, slug);
  const picture = pictures.background ?? pictures.logo;
  return picture === null ? { loc } : { loc, 'image:image': { 'image:loc': picture.url } };
}

const entryNames = { urlset: 'url', sitemapindex: 'sitemap' } as const;

async function write(
  root: keyof typeof entryNames,
  entries: readonly Entry[],
  yieldWhenDue: YieldWhenDue | undefined,
): Promise<string> {
  const [opening = '', closing = ''] = builder
    .build({
      '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
      [root]: { ...namespaces[root], '#text': gap },
    })
    .split(gap);
  const parts: string[] = [opening];
  for (let start = 0; start < entries.length; start += slice) {
    parts.push(builder.build({ [entryNames[root]]: entries.slice(start, start + slice) }));
    await yieldWhenDue?.();
  }
  return [...parts, closing].join('');
}
