import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { paragraph, root, table } from '#lib/representations/markdown/nodes.ts';
import { writeMarkdown } from '#lib/representations/markdown/write-markdown.ts';
import { hostileText } from '../../../support/factories/hostile-text.ts';

const usual = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-', listItemIndent: 'one', fences: true })
  .freeze();

test('texts are escaped as remark does', () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, fc.string({ unit: 'grapheme' })), (text) => {
      const tree = root(paragraph(text), table(['Field', 'Value'], [[text, text]]));
      expect(writeMarkdown(tree)).toBe(usual.stringify(tree));
    }),
    { numRuns: 300 },
  );
});
