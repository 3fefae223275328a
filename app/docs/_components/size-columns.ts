import type { RootContent, Table } from 'mdast';
import { toString as toText } from 'mdast-util-to-string';

/**
 * A table whose first row tells the length of each column’s longest cell, in characters (`--longest`): a
 * browser shows rows as they arrive, and a longer one would move those that are there already.
 * Everything else comes back as it is.
 */
export function sizeColumns(node: RootContent): RootContent {
  if (node.type !== 'table') return node;
  const [first, ...others] = node.children;
  if (first === undefined) return node;
  const children = first.children.map((cell, column) => {
    const style = `--longest: ${findLongest(node, column)}`;
    return { ...cell, data: { ...cell.data, hProperties: { ...cell.data?.hProperties, style } } };
  });
  return { ...node, children: [{ ...first, children }, ...others] };
}

function findLongest({ children: rows }: Table, column: number): number {
  const lengths = rows.map(({ children }) => toText(children[column]).length);
  return Math.max(...lengths);
}
