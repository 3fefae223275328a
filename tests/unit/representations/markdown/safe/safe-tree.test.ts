import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { expect, test } from 'vitest';
import { toPlainText } from '#lib/representations/markdown/safe/plain-text.ts';
import { toSafeTree } from '#lib/representations/markdown/safe/safe-tree.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';
import { linearGrowthMax, measureGrowth } from '../../../../support/measure-growth.ts';
import { listNodes } from '../../../../support/responses/markdown-tree.ts';

const safeTypes = new Set([
  'root',
  'paragraph',
  'heading',
  'blockquote',
  'list',
  'listItem',
  'table',
  'tableRow',
  'tableCell',
  'code',
  'thematicBreak',
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'break',
  'link',
]);

test('HTML becomes text', () => {
  const { tree } = toSafeTree('Learn <html> & <script>alert(1)</script>\n\n<div>\nhi\n</div>');
  expect(types(tree)).not.toContain('html');
  expect(toNodeText(tree)).toBe('Learn <html> & <script>alert(1)</script><div>\nhi\n</div>');
});

test('a <br> breaks the line, in a paragraph and alone', () => {
  expect(types(toSafeTree('a<br>b<BR />c').tree).filter((type) => type === 'break')).toHaveLength(
    2,
  );
  expect(toSafeTree('<br>').tree.children).toEqual([]);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/local',
  'file:///etc/x',
  ' JaVaScRiPt:x',
])('a link to %s becomes its text', (target) => {
  const { tree } = toSafeTree(`[words](<${target}>)`);
  expect(types(tree)).not.toContain('link');
  expect(toNodeText(tree)).toBe('words');
});

test('links to http, https and mailto stay, also by reference', () => {
  const { tree } = toSafeTree(
    '[a](http://a.example) [b][B] <c@d.example>\n\n[b]: https://b.example "title"',
  );
  const urls = listNodes(tree).flatMap((node) => (node.type === 'link' ? [node.url] : []));
  expect(urls).toEqual(['http://a.example/', 'https://b.example/', 'mailto:c@d.example']);
});

test('an image becomes a link with its description, and only text inside a link', () => {
  const { tree } = toSafeTree(
    '![cat](https://a.example/c.png) [![dog](https://a.example/d.png)](https://b.example)',
  );
  const links = listNodes(tree).filter((node) => node.type === 'link');
  expect(links.map((node) => [toNodeText(node), node.url])).toEqual([
    ['cat', 'https://a.example/c.png'],
    ['dog', 'https://b.example/'],
  ]);
});

test.each([
  [
    'the highest heading gets the level below those of the page',
    '# a\n\n### b\n\n> ## c',
    [3, 5, 4],
  ],
  ['heading levels end at 6', '# a\n\n###### b', [3, 6]],
])('%s, and the others follow', (_, markdown, depths) => {
  const nodes = listNodes(toSafeTree(markdown).tree);
  expect(nodes.flatMap((node) => (node.type === 'heading' ? [node.depth] : []))).toEqual(depths);
});

test('task lists keep their boxes', () => {
  expect(JSON.stringify(toSafeTree('- [x] a').tree)).toContain('"checked":true');
});

test('footnotes stand at the end, in the order of their references', () => {
  const text = [
    'Cake[^cake] and tea[^1], cake[^cake].',
    '[^1]: Tea **bags**.[^sugar]',
    '[^cake]:\n    - With nuts.\n\n    Or without.',
    '> [^sugar]: <i>None</i>.',
    '[^unused]: Not shown.',
  ].join('\n\n');
  expect(toPlainText(text, 500)).toBe(
    [
      'Cake[1] and tea[2], cake[1].',
      '[1]',
      '- With nuts.',
      'Or without.',
      '[2] Tea bags.[3]',
      '[3] <i>None</i>.',
    ].join('\n\n'),
  );
  expect(toPlainText('[^a] and [^a]: x', 500)).toBe('[^a] and [^a]: x');
});

test('an ordinary text is not cut, a very long one is, at the end of a paragraph', () => {
  expect(toSafeTree('word '.repeat(1_000)).isCut).toBe(false);
  const { tree, isCut } = toSafeTree('A sentence of words.\n\n'.repeat(5_000));
  expect(isCut).toBe(true);
  expect(toNodeText(tree.children.at(-1))).toBe('A sentence of words.');
});

test.each([
  ['quotes', '>'.repeat(10_000)],
  ['spaced quotes', '> '.repeat(10_000)],
  ['numbers', '1. '.repeat(10_000)],
  ['lists', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
  ['containers of all kinds', `${'> - 1. '.repeat(2_000)}\n`.repeat(7)],
  ['brackets', '['.repeat(100_000)],
  ['open links', '[a](b'.repeat(20_000)],
  ['footnotes', '[^a]'.repeat(20_000)],
  ['stars and underscores', '*a_b'.repeat(25_000)],
  ['nested emphasis', '*a **b '.repeat(8_000) + 'b** a* '.repeat(8_000)],
  ['ticks', Array.from({ length: 400 }, (_, count) => '`'.repeat(count)).join('a ')],
  ['tables', `|a|b|\n|-|-|\n${'|\n'.repeat(30_000)}`],
  ['definitions', '[a]: x\n'.repeat(12_000)],
  ['empty lines', '\n'.repeat(100_000)],
  ['entities', '&amp;'.repeat(20_000)],
  ['prose', 'Hello *world*, see [this](https://x.example/a). \n\n'.repeat(2_000)],
  ['one word', 'a'.repeat(100_000)],
])('100 kB of %s do not overflow the stack and take linear time', (_, markdown) => {
  expect(measureGrowth(markdown, toSafeTree)).toBeLessThan(linearGrowthMax);
});

test('any text gives a safe tree', () => {
  fc.assert(
    fc.property(hostileText, (markdown) => {
      const { tree } = toSafeTree(markdown);
      for (const node of listNodes(tree)) {
        expect(safeTypes).toContain(node.type);
        if (node.type === 'link') expect(node.url).toMatch(/^(?:https?|mailto):/);
        if (node.type === 'heading') expect(node.depth).toBeGreaterThanOrEqual(3);
        if (node.type === 'link') expect(types(node).slice(1)).not.toContain('link');
      }
    }),
    { numRuns: 200 },
  );
});

function types(node: Nodes): string[] {
  return listNodes(node).map(({ type }) => type);
}
