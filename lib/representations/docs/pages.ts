import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlockContent, Root, RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { Client } from '../clients/client.ts';
import { clients } from '../clients/clients.ts';
import { toPageLinks } from '../markdown/alternate-links.ts';
import { fence } from '../markdown/nodes.ts';
import { writeMarkdown } from '../markdown/write-markdown.ts';
import { getReference } from '../openapi/reference.ts';
import { fillTemplate } from './fill-template.ts';
import { toGeneratedTables } from './generated-tables.ts';
import { type ReferenceTree, toReferenceBlocks, toReferenceTree } from './reference-blocks.ts';

/** A page of the documentation. */
export type DocsPage = Readonly<{
  path: string;
  title: string;
  /** One sentence, for search engines and link previews. */
  description: string;
  tree: Root;
  /** The API reference that follows the text, if any. */
  reference: ReferenceTree | null;
}>;

type DocsFile = Readonly<{ file: string; title: string; description: string; hasReference?: true }>;

/** Every page by its path below `/docs`; `file` is its text in this directory. */
const files: Readonly<Record<string, DocsFile>> = {
  '': {
    file: 'index.md',
    title: 'Start here',
    description: 'Three commands to get started, pages as Markdown, feeds and calendars.',
  },
  api: {
    file: 'api.md',
    title: 'Events API',
    description:
      'Every endpoint, parameter, response and field of the events API, with code samples and a form to try it.',
    hasReference: true,
  },
  ai: {
    file: 'ai.md',
    title: 'AI proxy',
    description:
      'Use many models with one API key and OpenAI’s SDKs, the AI SDK or LangChain: API keys, streaming, limits, errors.',
  },
  agents: {
    file: 'agents.md',
    title: 'Agents',
    description:
      'Add this directory to Claude Code, Codex, Cursor, ChatGPT or VS Code by MCP: tools, examples and discovery.',
  },
  webhooks: {
    file: 'webhooks.md',
    title: 'Webhooks',
    description:
      'Be told when events change: what a webhook sends, how to verify it in JavaScript and Python, retries and order.',
  },
  operate: {
    file: 'operate.md',
    title: 'Operate',
    description:
      'One machine or several, a CDN in front, upgrades, backups, secrets, sizes, alerts and the threat model.',
  },
  errors: {
    file: 'errors.md',
    title: 'Errors',
    description: 'Every error code of the events API and the AI proxy, and what to do about it.',
  },
  versioning: {
    file: 'versioning.md',
    title: 'Versioning',
    description:
      'What may change at any time, what needs a new version, and how deprecations are announced.',
  },
};

/** The pages in the order of the navigation. */
export const docsIndex: readonly Readonly<{ path: string; title: string }>[] = Object.entries(
  files,
).map(([name, { title }]) => ({ path: toPath(name), title }));

/** The paths of pages below `/docs`. */
export const docsNames: readonly string[] = Object.keys(files);

export const docsPaths: readonly string[] = docsIndex.map(({ path }) => path);

// From the working directory, since Next bundles this module but not the texts.
const directory = join(process.cwd(), 'lib/representations/docs');
const loaded = new WeakMap<Site, Map<string, DocsPage>>();

/**
 * Loads the page at `/docs/{name}`; read once per site.
 * @returns undefined if there is no such page.
 */
export function loadDocsPage(name: string, site: Site): DocsPage | undefined {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return undefined;
  const pages = loaded.get(site) ?? new Map<string, DocsPage>();
  loaded.set(site, pages);
  const page = pages.get(name) ?? readPage(name, file, site);
  pages.set(name, page);
  return page;
}

/** The second-level headings of a page with their anchors, for its table of contents. */
export function listHeadings({ tree, reference }: DocsPage): { anchor: string; title: string }[] {
  const nodes: RootContent[] = [
    ...tree.children,
    ...(reference?.operations.flatMap(({ before }) => before) ?? []),
    ...(reference?.schemas ?? []),
  ];
  return nodes.flatMap((node) => {
    if (node.type !== 'heading' || node.depth !== 2) return [];
    return { anchor: String(node.data?.hProperties?.id ?? ''), title: toNodeText(node) };
  });
}

function readPage(name: string, docsFile: DocsFile, site: Site): DocsPage {
  const { file, title, description, hasReference } = docsFile;
  const reference = getReference(site);
  const tree = fillTemplate(readFileSync(join(directory, file), 'utf8'), {
    values: { 'site.url': site.url, 'site.name': site.name },
    blocks: {
      ...toGeneratedTables(site, reference),
      ...toClientCode(site),
      ...readShownFiles(),
    },
  });
  return {
    path: toPath(name),
    title: name === '' ? 'Documentation' : title,
    description,
    tree,
    reference: hasReference ? toReferenceTree(reference, site) : null,
  };
}

function toPath(name: string): string {
  return name === '' ? '/docs' : `/docs/${name}`;
}

/** Files that pages show, by placeholder name: operators copy them, and tests run the receivers of webhooks. */
const shownFiles: Readonly<Record<string, Readonly<{ file: string; lang?: string }>>> = {
  'alert-rules': { file: 'operate/alerts.yml' },
  'systemd-unit': { file: 'operate/marquee@.service' },
  'nginx-configuration': { file: 'operate/nginx.conf' },
  'webhook-example': { file: 'webhooks/example.json', lang: 'json' },
  'webhook-receiver-js': { file: 'webhooks/receiver.js', lang: 'js' },
  'webhook-receiver-py': { file: 'webhooks/receiver.py', lang: 'python' },
};

function readShownFiles(): Readonly<Record<string, readonly BlockContent[]>> {
  const entries = Object.entries(shownFiles).map(([name, { file, lang = null }]) => {
    const value = readFileSync(join(directory, file), 'utf8').trimEnd();
    return [name, [fence(lang, value)]] as const;
  });
  return Object.fromEntries(entries);
}

/** What the account page shows with a key and a model, by placeholder name. */
function toClientCode(site: Site): Readonly<Record<string, readonly BlockContent[]>> {
  const model = { id: 'MODEL', contextTokens: null, capabilities: [] };
  const toBlocks = ({ toCode }: Client): BlockContent[] =>
    toCode({ siteUrl: site.url, key: null, model }).map(({ language, code }) =>
      fence(language, code),
    );
  return Object.fromEntries(clients.map((client) => [`client-${client.id}`, toBlocks(client)]));
}

/** A documentation page as Markdown, with links to its representations and `/llms.txt` below the title. */
export function toDocsMarkdown(page: DocsPage, site: Site): string {
  const { tree, path, reference } = page;
  const [title, ...text] = tree.children;
  return writeMarkdown({
    type: 'root',
    children: [
      ...(title === undefined ? [] : [title]),
      toPageLinks(site, path),
      ...text,
      ...(reference === null ? [] : toReferenceBlocks(reference)),
    ],
  });
}
