import { pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';

type Link = Readonly<{ href: string; type?: string }>;
type LinkContext = Readonly<{ anchor: string }> & Readonly<Record<string, string | Link[]>>;

export const apiCatalogType =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The APIs of the site as a link set (RFC 9727, RFC 9264): events, AI proxy and MCP. */
export function toApiCatalog(site: Site): string {
  const events: LinkContext = {
    anchor: pageUrl(site, 'list'),
    'service-desc': [{ href: pageUrl(site, 'openApi'), type: 'application/json' }],
    'service-doc': toDocs(site, 'apiDocs'),
    status: [{ href: pageUrl(site, 'health'), type: 'application/json' }],
  };
  const aiProxy: LinkContext = {
    anchor: pageUrl(site, 'aiProxy'),
    'service-doc': toDocs(site, 'aiDocs'),
  };
  const mcp: LinkContext = {
    anchor: pageUrl(site, 'mcp'),
    'service-doc': toDocs(site, 'agentsDocs'),
  };
  const apis = [events, aiProxy, mcp];
  const catalog: LinkContext = {
    anchor: pageUrl(site, 'apiCatalog'),
    item: apis.map(({ anchor }) => ({ href: anchor })),
  };
  return `${JSON.stringify({ linkset: [catalog, ...apis] }, null, 2)}\n`;
}

function toDocs(site: Site, page: 'apiDocs' | 'aiDocs' | 'agentsDocs'): Link[] {
  return [
    { href: pageUrl(site, page), type: 'text/html' },
    { href: pageMarkdownUrl(site, page), type: 'text/markdown' },
  ];
}
