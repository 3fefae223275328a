import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';

/** What crawlers may read (RFC 9309): all pages. The twins of pages have addresses of their own to be found at. */
export function toRobotsTxt(site: Site): string {
  return [
    'User-agent: *',
    'Allow: /',
    'Disallow: /markdown/',
    'Disallow: /docs/try',
    'Disallow: /proxy/',
    '',
    `Sitemap: ${pageUrl(site, 'sitemap')}`,
    '',
  ].join('\n');
}
