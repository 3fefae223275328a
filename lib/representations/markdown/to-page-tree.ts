import type { Element, ElementContent, Nodes, Root } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import { type Options, toHast } from 'mdast-util-to-hast';
import { toString as toNodeText } from 'mdast-util-to-string';

const handlers: Options['handlers'] = {
  code(_state, { lang, value }: { lang?: string | null; value: string }): Element {
    return {
      type: 'element',
      tagName: 'pre',
      properties: { dataLanguage: lang ?? 'text' },
      children: [{ type: 'text', value }],
    };
  },
};

/** Our own Markdown as HTML: code knows its language, and cells know their column, for narrow screens. */
export function toPageTree(tree: MarkdownRoot): Nodes {
  const page = toHast(tree, { handlers });
  labelTables(page);
  return page;
}

function labelTables(node: Nodes): void {
  if (!('children' in node)) return;
  if (node.type === 'element' && node.tagName === 'table') labelCells(node);
  else for (const child of node.children) labelTables(child);
}

/**
 * Tables are shown as cards where they do not fit. `display` takes their roles away in some browsers, so the
 * roles are written out.
 */
function labelCells(table: Element): void {
  table.properties.role = 'table';
  const rows = findAll(table, 'tr');
  const columns = findAll(table, 'th').map((cell) => toNodeText(cell));
  for (const row of rows) {
    row.properties.role = 'row';
    const cells = row.children.filter((cell) => cell.type === 'element');
    for (const [index, cell] of cells.entries()) {
      const isHeader = cell.tagName === 'th';
      cell.properties.role = isHeader ? 'columnheader' : 'cell';
      if (!isHeader && index > 0) cell.properties.dataLabel = columns[index] ?? '';
    }
  }
  for (const group of [...findAll(table, 'thead'), ...findAll(table, 'tbody')]) {
    group.properties.role = 'rowgroup';
  }
}

function findAll(node: Root | Element, tagName: string): Element[] {
  return node.children.flatMap((child: Root['children'][number] | ElementContent) => {
    if (child.type !== 'element') return [];
    return [...(child.tagName === tagName ? [child] : []), ...findAll(child, tagName)];
  });
}
