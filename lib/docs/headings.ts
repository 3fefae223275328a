import type { RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import type { DocsPage } from './pages.ts';

/** The main headings of a page in their order, with the anchors that lead to them. */
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
