import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosePage, toMarkdownAddress, toMarkdownRoute } from '#lib/http/negotiate.ts';

test.for([
  ['Claude Code', 'text/markdown, text/html, */*', 'markdown'],
  [
    'OpenCode',
    'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    'markdown',
  ],
  ['Cursor', 'text/markdown, text/plain;q=0.9, */*;q=0.8', 'markdown'],
  ['Codex CLI', 'text/html, */*', 'html'],
  [
    'a browser',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'html',
  ],
  ['curl', '*/*', 'html'],
  ['a client that says nothing', null, 'html'],
  ['a client that says it in blanks', ' ', 'html'],
  ['a client that takes Markdown alone', 'text/markdown', 'markdown'],
  ['a client that likes HTML a little better', 'text/markdown;q=0.9, text/html', 'html'],
  ['a client that likes both as much', 'text/html;q=0.5, text/markdown;q=0.5', 'markdown'],
  ['a client that takes any text', 'text/*', 'html'],
  ['a client that takes all but HTML', 'text/html;q=0, */*', 'markdown'],
  ['a client that takes all but Markdown', 'text/markdown;q=0, */*', 'html'],
  ['a client that takes neither', 'application/json', 'none'],
  ['a client that rules both out', 'text/html;q=0, text/markdown;q=0', 'none'],
  ['a client that rules everything out', '*/*;q=0', 'none'],
] as const)('%s gets its form', ([, accept, form]) => {
  expect(choosePage('/docs', accept).form).toBe(form);
});

test('the order of the list does not change the form', () => {
  const accept = ['*/*;q=0.1', 'text/html;q=0.7', 'text/markdown', 'text/plain;q=0.8'];
  fc.assert(
    fc.property(fc.shuffledSubarray(accept, { minLength: 4 }), (shuffled) => {
      expect(choosePage('/', shuffled.join(', ')).form).toBe('markdown');
    }),
  );
});

test('an address in .md is Markdown, whatever the Accept header says', () => {
  expect(choosePage('/docs/api.md', 'text/html')).toEqual({ form: 'markdown', path: '/docs/api' });
  expect(choosePage('/index.md', 'application/json')).toEqual({ form: 'markdown', path: '/' });
});

test('a page and the address of its twin lead to the same page', () => {
  const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
  const path = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(
      path.filter((one) => one !== '/index'),
      (page) => {
        expect(choosePage(toMarkdownAddress(page), null)).toEqual({ form: 'markdown', path: page });
      },
    ),
  );
});

test('the page behind a .md address is one that a page can have', () => {
  for (const address of ['/.md', '/docs/.md', '/.md.md', '/index.md']) {
    const choice = choosePage(address, null);
    if (choice.form !== 'markdown') continue;
    expect(choice.path).toMatch(/^\/(?:.*[^/])?$/);
    expect(toMarkdownRoute(choice.path)).not.toMatch(/\/$/);
  }
});
