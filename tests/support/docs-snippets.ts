import { toString as toNodeText } from 'mdast-util-to-string';
import { loadDocsPage } from '#lib/representations/docs/pages.ts';
import { testSite } from './test-site.ts';

/** A code block of `/docs/ai`. */
export type Snippet = Readonly<{ heading: string; language: string; code: string }>;

type Access = Readonly<{ siteUrl: string; model: string }>;

/** All of them, with a site and a model in their places. */
export function readSnippets({ siteUrl, model }: Access): readonly Snippet[] {
  const page = loadDocsPage('ai', { ...testSite, url: siteUrl });
  if (page === undefined) throw new TypeError('There is no page /docs/ai.');
  const snippets: Snippet[] = [];
  let heading = '';
  for (const node of page.tree.children) {
    if (node.type === 'heading') heading = toNodeText(node);
    if (node.type !== 'code') continue;
    snippets.push({
      heading,
      language: node.lang ?? '',
      code: node.value.replaceAll(/\bMODEL\b/g, model),
    });
  }
  return snippets;
}

/** @throws TypeError if the page has none or several. */
export function readSnippet(access: Access, heading: string, language: string): string {
  const found = readSnippets(access).filter(
    (one) => one.heading === heading && one.language === language,
  );
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new TypeError(`${found.length} blocks of ${language} under “${heading}”.`);
  return only.code;
}
