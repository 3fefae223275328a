import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';

/** Who the server is, in its card and when a client connects. */
export const mcpServerInfo = { name: 'marquee', version: '1.0.0' } as const;

export const serverCardType = 'application/mcp-server-card+json';

/** The MCP server before anybody connects: `GET /mcp/server-card` (SEP-2127). */
export function toServerCard(site: Site): string {
  const { hostname } = new URL(site.url);
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    name: `${toReverseName(hostname)}/${mcpServerInfo.name}`,
    version: mcpServerInfo.version,
    title: site.name,
    description: 'A directory of events for people who make things: search, list and read them.',
    websiteUrl: pageUrl(site, 'agentsDocs'),
    remotes: [
      {
        type: 'streamable-http',
        url: pageUrl(site, 'mcp'),
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      },
    ],
  };
  return `${JSON.stringify(card, null, 2)}\n`;
}

/** The MCP servers of the site: where clients find the card. */
export function toMcpCatalog(site: Site): string {
  const { hostname } = new URL(site.url);
  const entry = {
    identifier: `urn:air:${hostname}:${mcpServerInfo.name}`,
    displayName: site.name,
    type: serverCardType,
    url: pageUrl(site, 'mcpServerCard'),
  };
  return `${JSON.stringify({ specVersion: 'draft', entries: [entry] }, null, 2)}\n`;
}

/** As in Java; an IPv6 address has brackets and colons, which no name may have. */
function toReverseName(hostname: string): string {
  return hostname
    .split('.')
    .reverse()
    .join('.')
    .replaceAll(/[^\w.-]+/g, '-');
}
