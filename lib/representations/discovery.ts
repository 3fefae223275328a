import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toUtcDay } from '#lib/storage/days.ts';

const name = 'find-events';
// From the working directory, since Next bundles this module but not the text.
const file = join(process.cwd(), 'lib/representations/agents/find-events.md');

/** The skill that teaches an agent to find events here (https://agentskills.io/specification). */
export function toFindEventsSkill(site: Site): string {
  return [
    '---',
    `name: ${name}`,
    // A JSON text is a YAML text, so any site name is safe.
    `description: ${JSON.stringify(toDescription(site))}`,
    '---',
    '',
    readFileSync(file, 'utf8').replaceAll('{{site.url}}', site.url),
  ].join('\n');
}

/** The skills of the site with their digests (Agent Skills Discovery 0.2.0). */
export function toSkillsIndex(site: Site): string {
  const index = {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name,
        type: 'skill-md',
        description: toDescription(site),
        url: pageUrl(site, 'findEventsSkill'),
        digest: `sha256:${hash('sha256', toFindEventsSkill(site))}`,
      },
    ],
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}

function toDescription(site: Site): string {
  return `Finds events on ${site.name} (${site.url}): what is on now or coming up, by date, place, format, project type or words, and how to join. Use it for questions about these events, their dates, places and requirements.`;
}

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
    'service-desc': [{ href: pageUrl(site, 'aiProxyOpenApi'), type: 'application/json' }],
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

type Contact = Readonly<{ contactUrl: string; now: number }>;

/** RFC 9116 §2.5.5: less than a year ahead. As the setting is read at each start, half of it is enough. */
const validForMs = 180 * 86_400_000;

/** Whom to tell about a vulnerability. */
export function toSecurityTxt(site: Site, { contactUrl, now }: Contact): string {
  return [
    `Contact: ${contactUrl}`,
    `Expires: ${toUtcDay(now + validForMs)}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${pageUrl(site, 'securityTxt')}`,
    '',
  ].join('\n');
}

/** The web app manifest (https://www.w3.org/TR/appmanifest/), for home screens. */
export function toWebManifest(site: Site): string {
  const manifest = {
    id: '/',
    name: site.name,
    short_name: site.name.slice(0, 12).trim(),
    description: 'Current and upcoming events for people who make things.',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    dir: 'ltr',
    background_color: '#f2f2ef',
    theme_color: '#141414',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Documentation', url: '/docs' },
      { name: 'AI models', url: '/models' },
    ],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
