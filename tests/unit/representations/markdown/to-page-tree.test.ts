import type { Element, Nodes } from 'hast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { expect, test } from 'vitest';
import { toPageTree } from '#lib/representations/markdown/to-page-tree.ts';
import { parseMarkdown } from '../../../support/responses/markdown-tree.ts';

function findAll(node: Nodes, tagName: string): Element[] {
  if (!('children' in node)) return [];
  return node.children.flatMap((child) => [
    ...(child.type === 'element' && child.tagName === tagName ? [child] : []),
    ...findAll(child, tagName),
  ]);
}

const render = (markdown: string) => toPageTree(parseMarkdown(markdown));

test('code knows its language', () => {
  const page = render('```sh\n<b>&\n```\n\n```\nplain\n```');
  const blocks = findAll(page, 'pre').map((pre) => [pre.properties.dataLanguage, toNodeText(pre)]);
  expect(blocks).toEqual([
    ['sh', '<b>&'],
    ['text', 'plain'],
  ]);
});

test('cells know their column, and roles stay where `display` would take them away', () => {
  const page = render('| Name | Price |\n| --- | --- |\n| *One* | $1 |\n| Two | |');
  const cells = findAll(page, 'td').map(({ properties }) => properties.dataLabel);
  expect(cells).toEqual([undefined, 'Price', undefined, 'Price']);
  const roles = ['table', 'thead', 'tbody', 'tr', 'th', 'td'].map(
    (name) => findAll(page, name)[0]?.properties.role,
  );
  expect(roles).toEqual(['table', 'rowgroup', 'rowgroup', 'row', 'columnheader', 'cell']);
});
