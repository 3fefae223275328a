import { expect, test } from 'vitest';
import { messagePhrases, paragraph, root } from '#lib/representations/markdown/nodes.ts';
import { toErrorMarkdown } from '#lib/representations/markdown/pages/errors.ts';
import { writeMarkdown } from '#lib/representations/markdown/write-markdown.ts';
import { testSite as site } from '../../../support/test-site.ts';

function write(message: string): string {
  return writeMarkdown(root(paragraph(...messagePhrases(message))));
}

test('what stands between backticks in a message is code in Markdown', () => {
  expect(write('`from` is later than `to`.')).toBe('`from` is later than `to`.\n');
  expect(write('Write `month=2026-12`')).toBe('Write `month=2026-12`\n');
});

test('a backtick without a partner stays a character', () => {
  expect(write('Invalid value “a`b” for `q`.')).toBe('Invalid value “a\\`b” for \\`q\\`.\n');
});

test('the Markdown page of an error shows its message and its hint with code', () => {
  const error = { message: 'The parameter `q` was sent 2 times.', hint: 'Send `q` once.' };
  const markdown = toErrorMarkdown({ site, ...error });
  expect(markdown).toContain('# The parameter `q` was sent 2 times.\n');
  expect(markdown).toContain('\nSend `q` once. [About errors]');
});
