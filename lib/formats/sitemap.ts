import { XMLBuilder } from 'fast-xml-parser';
import type { Pace } from '#lib/events/pacer.ts';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import { eventPageUrl, type Site, sitemapPartUrl, toPageUrl } from './site.ts';

/** The most that one file may hold (https://www.sitemaps.org/protocol.html). */
export const sitemapAddressesMax = 50_000;

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

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

/**
 * The addresses of all pages for search engines; where they are more than one file may hold, the list of
 * the files that hold them. It tells no dates of change: the table has none, and made-up ones are ignored.
 */
export async function toSitemap(contents: Contents, pace?: Pace): Promise<string> {
  const count = countSitemapParts(contents);
  if (count === 1) return write('urlset', listAddresses(contents), pace);
  const parts = Array.from({ length: count }, (_, index) =>
    sitemapPartUrl(contents.site, index + 1),
  );
  return write('sitemapindex', parts, pace);
}

/** One of the files that the list leads to, counted from 1. */
export async function toSitemapPart(
  contents: Contents,
  part: number,
  pace?: Pace,
): Promise<string> {
  const start = (part - 1) * sitemapAddressesMax;
  const addresses = listAddresses(contents).slice(start, start + sitemapAddressesMax);
  return write('urlset', addresses, pace);
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

const entryNames = { urlset: 'url', sitemapindex: 'sitemap' } as const;

async function write(
  root: keyof typeof entryNames,
  addresses: readonly string[],
  pace: Pace | undefined,
): Promise<string> {
  const [opening = '', closing = ''] = builder
    .build({
      '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
      [root]: { '@_xmlns': namespace, '#text': gap },
    })
    .split(gap);
  const parts: string[] = [opening];
  for (let start = 0; start < addresses.length; start += slice) {
    const entries = addresses.slice(start, start + slice).map((loc) => ({ loc }));
    parts.push(builder.build({ [entryNames[root]]: entries }));
    await pace?.();
  }
  return [...parts, closing].join('');
}
