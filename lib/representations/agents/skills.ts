import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';

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
