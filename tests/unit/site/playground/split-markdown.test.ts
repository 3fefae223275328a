import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitMarkdown } from '#lib/site/playground/split-markdown.ts';

const paragraph = `${'word '.repeat(60)}\n\n`;

test('no text loses a character', () => {
  const pieces = fc.constantFrom(paragraph, '```\n', '~~~js\n', '- item\n', '\n', 'a', '\n\n');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect(splitMarkdown(text).join('\n')).toBe(text);
    }),
  );
});

test('a long text is split between blocks, and its parts do not change while it grows', () => {
  const text = paragraph.repeat(30);
  const parts = splitMarkdown(text);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) expect(part.length).toBeLessThan(2_500);
  expect(splitMarkdown(text + paragraph).slice(0, parts.length - 1)).toEqual(parts.slice(0, -1));
});

test('a fence is never split', () => {
  const fence = `\`\`\`\n${'line\n\n'.repeat(2_000)}\`\`\`\n\n`;
  const parts = splitMarkdown(fence + paragraph.repeat(8));
  expect(parts[0]).toContain(fence.trimEnd());
  expect(splitMarkdown('`````\n```\n\n`````')).toHaveLength(1);
});
