import { agentLinks, toLink } from '#lib/events/view/link-headers.ts';
import { type Site, toMarkdownPath, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { pageSecurityHeaders, toTransportHeaders } from '#lib/http/security-headers.ts';

export type PageHeaderOptions = Readonly<{
  site: Site;
  /** The canonical URL of a page that has Markdown; null for error pages. */
  url: string | null;
  /** CSP source expressions of the page's scripts. */
  scriptSources: readonly string[];
  /** Origins that forms may lead to, besides this one. */
  formTargets?: readonly string[] | undefined;
  asksPosition?: boolean;
}>;

/** The headers of every page, however it is served. */
export function toPageHeaders(options: PageHeaderOptions): HeaderFields {
  const { site, url, ...security } = options;
  return [
    ...(url === null ? [] : [toLinks(site, url)]),
    ...toTransportHeaders(site),
    ['Speculation-Rules', '"/speculation-rules.json"'],
    ...pageSecurityHeaders(security),
  ];
}

function toLinks(site: Site, url: string): readonly [string, string] {
  const [path = '/', query] = url.split('?');
  const search = query === undefined ? '' : `?${query}`;
  const markdownUrl = toPageUrl(site, toMarkdownPath(path)) + search;
  const markdown = toLink(markdownUrl, 'alternate', 'text/markdown');
  return ['Link', [markdown, ...(path === '/' ? agentLinks(site) : [])].join(', ')];
}
