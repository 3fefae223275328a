import { readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import type { Root, RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { addDays } from '#lib/events/model/dates.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { clients } from '../clients/clients.ts';
import { isConnectable, toConnectScript } from '../clients/connect/connect-script.ts';
import { toPageLinks } from '../markdown/alternate-links.ts';
import { fence } from '../markdown/nodes.ts';
import { writeMarkdown } from '../markdown/write-markdown.ts';
import { getReference } from '../openapi/reference.ts';
import { fillTemplate, type TemplateBlocks } from './fill-template.ts';
import { toGeneratedTables } from './generated-tables.ts';
import { type DocsRow, findDocsRow, toDocsPath } from './page-rows.ts';
import { type ReferenceTree, toReferenceBlocks, toReferenceTree } from './reference-blocks.ts';

/** A page of text, as of the documentation. */
export type TextPage = Readonly<{
  path: string;
  title: string;
  /** One sentence, for search engines and link previews. */
  description: string;
  tree: Root;
  /** The API reference that follows the text, if any. */
  reference: ReferenceTree | null;
}>;

// From the working directory, since Next bundles this module but not the texts.
const directory = join(process.cwd(), 'lib/representations/docs');
const textsDirectory = join(process.cwd(), 'lib/representations/texts');
const loaded = new WeakMap<Site, Map<string, TextPage>>();

/**
 * Loads the page at `/docs/{name}`; read once per site.
 * @returns undefined if there is no such page.
 */
export function loadDocsPage(name: string, site: Site): TextPage | undefined {
  const row = findDocsRow(name);
  return row && loadOnce(toDocsPath(name), site, () => readPage(name, row, site));
}

/** Loads the text of the file with the path of a page in `texts/`; read once per site. */
export function loadTextPage(page: Omit<TextPage, 'tree' | 'reference'>, site: Site): TextPage {
  return loadOnce(page.path, site, () => {
    const text = readFileSync(join(textsDirectory, `${page.path}.md`), 'utf8');
    const values = { 'site.url': site.url, 'site.name': site.name };
    const tree = fillTemplate(text, { values, blocks: {}, toUrl: (link) => link });
    return { ...page, tree, reference: null };
  });
}

function loadOnce(path: string, site: Site, read: () => TextPage): TextPage {
  const pages = loaded.get(site) ?? new Map<string, TextPage>();
  loaded.set(site, pages);
  const page = pages.get(path) ?? read();
  pages.set(path, page);
  return page;
}

/** The second-level headings of a page with their anchors, for its table of contents. */
export function listHeadings({ tree, reference }: TextPage): { anchor: string; title: string }[] {
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

function readPage(name: string, row: DocsRow, site: Site): TextPage {
  const { title, description, hasReference } = row;
  const reference = getReference(site);
  const path = join(directory, `${name || 'index'}.md`);
  // Pages are read once, so dates in examples are those of the start.
  const today = new Date().toISOString().slice(0, 10);
  const tree = fillTemplate(readFileSync(path, 'utf8'), {
    values: { 'site.url': site.url, 'site.name': site.name, 'week.ago': addDays(today, -7) },
    blocks: {
      ...toGeneratedTables(site, reference, today),
      ...toClientCode(site),
      ...toConnectCode(site),
    },
    toUrl: (link) => toPageUrl(link, { path, site }),
  });
  return {
    path: toDocsPath(name),
    title: name === '' ? 'Documentation' : title,
    description,
    tree: { ...tree, children: tree.children.map((node) => showFile(node, path)) },
    reference: hasReference ? toReferenceTree(reference, site) : null,
  };
}

type TextFile = Readonly<{ path: string; site: Site }>;

/** Texts link to each other as files, so that they can be read where the code is hosted. */
function toPageUrl(link: string, { path, site }: TextFile): string {
  const [, file, fragment = ''] = /^([\w./-]+)\.md(#.*)?$/.exec(link) ?? [];
  if (file === undefined) return link;
  const name = relative(directory, resolve(dirname(path), file));
  return site.url + toDocsPath(name === 'index' ? '' : name) + fragment;
}

const languages: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.js': 'js',
  '.py': 'python',
};

/** A paragraph that only links to a file shows it: operators copy these files, and tests run them. */
function showFile(node: RootContent, path: string): RootContent {
  if (node.type !== 'paragraph' || node.children.length !== 1) return node;
  const [link] = node.children;
  if (link?.type !== 'link' || !/^[\w./@-]+$/.test(link.url)) return node;
  const text = readFileSync(join(dirname(path), link.url), 'utf8').trimEnd();
  return fence(languages[extname(link.url)] ?? null, text);
}

const anyModel = { id: 'MODEL', contextTokens: null, capabilities: [] };

/** The scripts that connect clients. */
function toConnectCode(site: Site): TemplateBlocks {
  const setup = { siteUrl: site.url, model: anyModel };
  const entries = clients
    .filter(isConnectable)
    .map((client) => [`connect-${client.id}`, () => [fence('sh', toConnectScript(client, setup))]]);
  return Object.fromEntries(entries);
}

/** What the account page shows with a key and a model. */
function toClientCode(site: Site): TemplateBlocks {
  const setup = { siteUrl: site.url, key: null, model: anyModel };
  const entries = clients.map(({ id, toCode }) => [
    `client-${id}`,
    () => toCode(setup).map(({ language, code }) => fence(language, code)),
  ]);
  return Object.fromEntries(entries);
}

/** A page of text as Markdown, with links to its representations and `/llms.txt` below the title. */
export function toTextMarkdown(page: TextPage, site: Site): string {
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
