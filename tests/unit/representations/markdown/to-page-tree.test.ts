import type { Element, Nodes } from 'hast';
import { toString as toNodeText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { toPageTree } from '#lib/representations/markdown/to-page-tree.ts';

const parser = unified().use(remarkParse).use(remarkGfm);

function findAll(node: Nodes, tagName: string): Element[] {
  if (!('children' in node)) return [];
  return node.children.flatMap((child) => [
    ...(child.type === 'element' && child.tagName === tagName ? [child] : []),
    ...findAll(child, tagName),
  ]);
}

const render = (markdown: string) => toPageTree(parser.parse(markdown));

test.each([
  ['sh', "curl -s 'https://events.example'", "'https://events.example'", 'hljs-string'],
  ['js', 'const a = 5;', 'const', 'hljs-keyword'],
  ['python', 'import os', 'import', 'hljs-keyword'],
  ['json', '{"a": true}', '"a"', 'hljs-attr'],
  ['xml', '<rss version="2.0"/>', '"2.0"', 'hljs-string'],
])('%s has colours by class, and its text is the same', (language, code, part, className) => {
  const page = render(`\`\`\`${language}\n${code}\n\`\`\``);
  const [pre] = findAll(page, 'pre');
  expect(pre?.properties.dataLanguage).toBe(language);
  expect(toNodeText(pre)).toBe(code);
  const spans = findAll(page, 'span');
  const colored = spans.find((span) => toNodeText(span) === part);
  expect(colored?.properties.className).toContain(className);
  for (const span of spans) expect(span.properties).not.toHaveProperty('style');
});

test('code of an unknown language stays plain', () => {
  for (const fence of ['```whatever\n<b>&\n```', '```\n<b>&\n```']) {
    const page = render(fence);
    expect(toNodeText(findAll(page, 'code')[0])).toBe('<b>&');
    expect(findAll(page, 'span')).toEqual([]);
  }
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
