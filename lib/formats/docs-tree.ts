import slugify from '@sindresorhus/slugify';
import type { Root } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** The tree of a documentation text, its headings with the ids that addresses lead to. */
export function toDocsTree(markdown: string): Root {
  const tree = parser.parse(markdown);
  for (const node of tree.children) {
    if (node.type !== 'heading' || node.depth === 1) continue;
    node.data = { hProperties: { id: toAnchor(toNodeText(node)) } };
  }
  return tree;
}

/** The anchor of a heading. An error code is its own. */
export function toAnchor(heading: string): string {
  return /^[a-z_]+$/.test(heading) ? heading : slugify(heading);
}
