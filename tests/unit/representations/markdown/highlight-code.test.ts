import { expect, test } from 'vitest';
import { highlightCode } from '#lib/representations/markdown/highlight-code.ts';

test.each([
  ['sh', "curl -s 'https://events.example'", 'hljs-string', "'https://events.example'"],
  ['js', 'const a = 5;', 'hljs-keyword', 'const'],
  ['python', 'import os', 'hljs-keyword', 'import'],
  ['json', '{"a": true}', 'hljs-attr', '"a"'],
  ['xml', '<rss version="2.0"/>', 'hljs-string', '"2.0"'],
])('%s has colours by class, and its text is the same', (language, code, className, part) => {
  const html = highlightCode(code, language);
  expect(html).toContain(`<span class="${className}">${part}</span>`);
  expect(html).not.toContain('style=');
  expect(toText(html)).toBe(code);
});

test.each(['sh', 'js', 'python', 'json', 'xml', 'whatever', 'text'])(
  'code in %s cannot become HTML',
  (language) => {
    const code = '</code><script>alert(1)</script> <img src=x onerror="alert(1)"> &lt;b&gt;';
    const html = highlightCode(code, language);
    expect(html.match(/<(?!\/?span\b)/g)).toBeNull();
    expect(toText(html)).toBe(code);
  },
);

test('code of an unknown language stays plain', () => {
  expect(highlightCode('let a = 5;', 'whatever')).toBe('let a = 5;');
});

/** The text that a browser would show. */
function toText(html: string): string {
  const texts = html.replace(/<[^>]*>/g, '');
  return texts.replace(/&#x([0-9A-F]+);/g, (_, hex) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
