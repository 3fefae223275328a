import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Root } from 'mdast';
import type { Site } from '#lib/events/view/site-urls.ts';
import { getReference } from '#lib/openapi/reference.ts';
import { fillTree } from './fill-template.ts';
import { toBlocks } from './generated-tables.ts';
import { type ReferenceTree, toReferenceTree } from './reference-blocks.ts';

/** A page of the documentation. */
export type DocsPage = Readonly<{
  path: string;
  title: string;
  /** One sentence, for search engines and whoever is sent a link. */
  description: string;
  tree: Root;
  /** What follows the text, where the page is a reference. */
  reference: ReferenceTree | null;
}>;

type DocsFile = Readonly<{ file: string; title: string; description: string; hasReference?: true }>;

/** Every page: its name, which is its address below `/docs`, and its text in this folder. */
const files: Readonly<Record<string, DocsFile>> = {
  '': {
    file: 'index.md',
    title: 'Start here',
    description:
      'Three commands to begin with, the forms that every page comes in, feeds and a calendar.',
  },
  api: {
    file: 'api.md',
    title: 'Events API',
    description:
      'Every address, parameter, answer and field of the events API, with samples and a form to try each.',
    hasReference: true,
  },
  ai: {
    file: 'ai.md',
    title: 'AI proxy',
    description:
      'How to use OpenAI’s clients, the AI SDK and LangChain with one key and many models: keys, streams, limits, errors.',
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
      'What may change at any time, what needs a new version, and how an end is announced.',
  },
};

/** The pages in the order in which they are listed. */
export const docsIndex: readonly Readonly<{ path: string; title: string }>[] = Object.entries(
  files,
).map(([name, { title }]) => ({ path: toPath(name), title }));

/** What pages are called below `/docs`. */
export const docsNames: readonly string[] = Object.keys(files);

export const docsPaths: readonly string[] = docsIndex.map(({ path }) => path);

// From the working directory, not from this module's address: Next bundles the one, not the other.
const folder = join(process.cwd(), 'lib/docs');
const loaded = new WeakMap<Site, Map<string, DocsPage>>();

/**
 * The page at `/docs/{name}`, with the site's name and address in place. Read once for each site.
 * @returns undefined where there is none.
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

function readPage(name: string, docsFile: DocsFile, site: Site): DocsPage {
  const { file, title, description, hasReference } = docsFile;
  const reference = getReference(site);
  const tree = fillTree(readFileSync(join(folder, file), 'utf8'), {
    values: { 'site.url': site.url, 'site.name': site.name },
    blocks: toBlocks(site, reference),
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
