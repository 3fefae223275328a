import { expect, test } from 'vitest';
import { fillTree, toAnchor } from '#lib/docs/fill-template.ts';
import { paragraph } from '#lib/markdown/nodes.ts';
import { writeMarkdown } from '#lib/markdown/write-markdown.ts';

const filling = {
  values: { 'site.url': 'https://a.example', 'site.name': 'A *b*' },
  blocks: { table: [paragraph('in its place')] },
};

test('blanks are filled in words, code and addresses', () => {
  const tree = fillTree(
    '# {{site.name}}\n\n[x]({{site.url}}/y) `{{site.url}}`\n\n```sh\ncurl {{site.url}}\n```',
    filling,
  );
  expect(writeMarkdown(tree)).toBe(
    '# A \\*b\\*\n\n[x](https://a.example/y) `https://a.example`\n\n```sh\ncurl https://a.example\n```\n',
  );
});

test('a paragraph that is one blank gives way to its block', () => {
  expect(writeMarkdown(fillTree('One\n\n{{table}}\n\nTwo', filling))).toBe(
    'One\n\nin its place\n\nTwo\n',
  );
});

test.each(['{{unknown}}', 'some {{site.unknown}} words', '`{{toString}}`'])(
  '%s, for which nothing stands in, is an error',
  (markdown) => {
    expect(() => fillTree(markdown, filling)).toThrow(/Nothing stands in/);
  },
);

test('headings below the title get anchors; an error code is its own', () => {
  const [title, section] = fillTree('# Title\n\n## How fresh it is', filling).children;
  expect(title?.data).toBeUndefined();
  expect(section?.data).toEqual({ hProperties: { id: 'how-fresh-it-is' } });
  expect(toAnchor('bad_request')).toBe('bad_request');
});
