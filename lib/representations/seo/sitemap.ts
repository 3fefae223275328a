import { XMLBuilder } from 'fast-xml-parser';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  eventPageUrl,
  pageUrl,
  type Site,
  sitemapPartUrl,
  toPageUrl,
} from '#lib/events/view/site-urls.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';

/** The maximum number of URLs per file (https://www.sitemaps.org/protocol.html). */
export const sitemapUrlsMax = 50_000;

const namespace = { '@_xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9' } as const;
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
const imageNamespace = { '@_xmlns:image': 'http://www.google.com/schemas/sitemap-image/1.1' };
const namespaces = { urlset: { ...namespace, ...imageNamespace }, sitemapindex: namespace };

const builder = new XMLBuilder({ format: true, ignoreAttributes: false });

/** URLs written between two yields to the event loop. */
const sliceLength = 100;

/** Marks where the entries go in the surrounding XML. */
const placeholder = 'entries';

type Contents = Readonly<{
  site: Site;
  /** Paths of all other pages. */
  paths: readonly string[];
  events: readonly MarqueeEvent[];
}>;

type Entry = Readonly<{ loc: string; 'image:image'?: Readonly<{ 'image:loc': string }> }>;

/**
 * The sitemap: all pages and the pictures of events, or the index of several sitemaps if they exceed one
 * file. Without `lastmod`, since the table does not record when a row changed.
 */
export async function toSitemap(contents: Contents, yieldWhenDue?: YieldWhenDue): Promise<string> {
  const count = countSitemapParts(contents);
  if (count === 1) return toSitemapPart(contents, 1, yieldWhenDue);
  const parts = Array.from({ length: count }, (_, index) => index + 1);
  const toEntry = (part: number) => ({ loc: sitemapPartUrl(contents.site, part) });
  return write('sitemapindex', parts, { toEntry, yieldWhenDue });
}

/** One of the sitemaps in the index, counted from 1. */
export async function toSitemapPart(
  { site, paths, events }: Contents,
  part: number,
  yieldWhenDue?: YieldWhenDue,
): Promise<string> {
  const start = (part - 1) * sitemapUrlsMax;
  const shown = [...paths, ...events].slice(start, start + sitemapUrlsMax);
  const toEntry = (item: string | MarqueeEvent) =>
    typeof item === 'string' ? { loc: toPageUrl(site, item) } : toEventEntry(item, site);
  return write('urlset', shown, { toEntry, yieldWhenDue });
}

/** How many sitemaps there are. */
export function countSitemapParts({ paths, events }: Contents): number {
  return Math.max(1, Math.ceil((paths.length + events.length) / sitemapUrlsMax));
}

function toEventEntry({ slug, pictures }: MarqueeEvent, site: Site): Entry {
  const loc = eventPageUrl(site, slug);
  const picture = pictures.background ?? pictures.logo;
  return picture === null ? { loc } : { loc, 'image:image': { 'image:loc': picture.url } };
}

const entryNames = { urlset: 'url', sitemapindex: 'sitemap' } as const;

type WriteOptions<Item> = Readonly<{
  toEntry: (item: Item) => Entry;
  yieldWhenDue: YieldWhenDue | undefined;
}>;

async function write<Item>(
  root: keyof typeof entryNames,
  items: readonly Item[],
  { toEntry, yieldWhenDue }: WriteOptions<Item>,
): Promise<string> {
  const [opening = '', closing = ''] = builder
    .build({
      '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
      [root]: { ...namespaces[root], '#text': placeholder },
    })
    .split(placeholder);
  const parts: string[] = [opening];
  for (let start = 0; start < items.length; start += sliceLength) {
    const entries = items.slice(start, start + sliceLength).map(toEntry);
    parts.push(builder.build({ [entryNames[root]]: entries }));
    await yieldWhenDue?.();
  }
  return [...parts, closing].join('');
}

type RobotsOptions = Readonly<{
  /** What content may be used for (https://contentsignals.org); null: unsaid. */
  contentSignal: string | null;
}>;

/** The rules for crawlers (RFC 9309): all pages, but not internal routes and the AI proxy. */
export function toRobotsTxt(site: Site, { contentSignal }: RobotsOptions): string {
  return [
    'User-agent: *',
    ...(contentSignal === null ? [] : [`Content-Signal: ${contentSignal}`]),
    'Allow: /',
    'Disallow: /markdown/',
    'Disallow: /docs/try',
    'Disallow: /proxy/',
    '',
    `Sitemap: ${pageUrl(site, 'sitemap')}`,
    '',
  ].join('\n');
}
