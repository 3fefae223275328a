import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';

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
