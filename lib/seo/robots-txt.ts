import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';

/** The rules for crawlers (RFC 9309): all pages, but not internal routes and the AI proxy. */
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
