import { expect, test } from 'vitest';
import { fillTemplate, toAnchor } from '#lib/representations/docs/fill-template.ts';
import { paragraph } from '#lib/representations/markdown/nodes.ts';
import { writeMarkdown } from '#lib/representations/markdown/write-markdown.ts';

const template = {
  values: { 'site.url': 'https://a.example', 'site.name': 'A *b*' },
  blocks: { table: () => [paragraph('in its place')] },
  toUrl: (link: string) => link.replace('.md', '#file'),
};

test('placeholders are replaced in text, code and URLs', () => {
  const tree = fillTemplate(
    '# {{site.name}}\n\n[x]({{site.url}}/y) `{{site.url}}`\n\n```sh\ncurl {{site.url}}\n```',
    template,
  );
  expect(writeMarkdown(tree)).toBe(
    '# A \\*b\\*\n\n[x](https://a.example/y) `https://a.example`\n\n```sh\ncurl https://a.example\n```\n',
  );
});

test('a paragraph that is a placeholder is replaced by its blocks', () => {
  expect(writeMarkdown(fillTemplate('One\n\n{{table}}\n\nTwo', template))).toBe(
    'One\n\nin its place\n\nTwo\n',
  );
});

test.each(['{{unknown}}', 'some {{site.unknown}} words', '`{{toString}}`'])(
  '%s has no value, which is an error',
  (markdown) => {
    expect(() => fillTemplate(markdown, template)).toThrow(/No value for/);
  },
);

test('a link can lead to another URL than the text has', () => {
  expect(writeMarkdown(fillTemplate('[One](one.md)', template))).toBe('[One](one#file)\n');
});

test('headings below the title get anchors; an error code is its own anchor', () => {
  const [title, section] = fillTemplate('# Title\n\n## How fresh it is', template).children;
  expect(title?.data).toBeUndefined();
  expect(section?.data).toEqual({ hProperties: { id: 'how-fresh-it-is' } });
  expect(toAnchor('bad_request')).toBe('bad_request');
});
