import type { Nodes, Root } from 'mdast';
import { toString as toText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { TextPage } from '#lib/representations/docs/pages.ts';

const reader = unified().use(remarkParse).use(remarkGfm);

export function parseMarkdown(markdown: string): Root {
  return reader.parse(markdown);
}

/** The URLs of all links. */
export function readLinks(markdown: string): string[] {
  return listNodes(parseMarkdown(markdown)).flatMap((node) =>
    node.type === 'link' ? [node.url] : [],
  );
}

/** The rows of all tables, as the text of their cells. */
export function readCells(markdown: string): string[][] {
  return listNodes(parseMarkdown(markdown)).flatMap((node) =>
    node.type === 'tableRow' ? [node.children.map((cell) => toText(cell))] : [],
  );
}

/** The anchors of a page, in their order. */
export function readAnchors({ tree, reference }: TextPage): string[] {
  const parts: Nodes[] = [
    ...tree.children,
    ...(reference?.operations.flatMap(({ before, after }) => [...before, ...after]) ?? []),
    ...(reference?.schemas ?? []),
  ];
  return parts.flatMap((node) => {
    const id = node.type === 'heading' ? node.data?.hProperties?.id : undefined;
    return id === undefined ? [] : [String(id)];
  });
}

/** A node and its descendants. */
export function listNodes(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(listNodes) : [])];
}
