import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortenText, toOneLine, toXmlText } from '#lib/events/words/clean-text.ts';
import { toPlainText } from '#lib/representations/markdown/safe/plain-text.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';

test.each([
  ['A *very* **good** `day`', 'A very good day'],
  ['# Title\n\nText', 'Title\n\nText'],
  ['one\ntwo  \nthree', 'one\ntwo\nthree'],
  ['- a\n- b', '- a\n- b'],
  ['3. a\n4. b', '3. a\n4. b'],
  ['- [x] done', '- [x] done'],
  ['see [the site](https://a.example/x)', 'see the site (https://a.example/x)'],
  ['see [here](https://a.example/where)', 'see here (https://a.example/where)'],
  ['see https://a.example/x and www.b.example', 'see https://a.example/x and www.b.example'],
  ['[bad](javascript:alert(1))', 'bad'],
  [
    'a picture ![of a cat](https://a.example/c.png)',
    'a picture of a cat (https://a.example/c.png)',
  ],
  ['one<br>two', 'one\ntwo'],
  ['learn <html> tags', 'learn <html> tags'],
  ['| a | b |\n|---|---|\n| c | d |', 'a | b\nc | d'],
  ['> said', 'said'],
  ['a note[^1]\n\n[^1]: a word', 'a note[1]\n\n[1] a word'],
  ['&lt;b&gt; &amp; more', '<b> & more'],
  ['```js\nlet a;\n```', 'let a;'],
  ['  plain words \r\n\r\n\r\n\r\nand more ', 'plain words\n\nand more'],
  ['', ''],
])('%j gives %j', (markdown, text) => {
  expect(toPlainText(markdown, 1_000)).toBe(text);
});

test('the length is bounded, and a cut is between words and visible', () => {
  const text = toPlainText('lantern '.repeat(1_000), 100);
  expect(text).toMatch(/^(?:lantern )+lantern…$/);
  expect(text.length).toBeLessThanOrEqual(100);
});

test('no text exceeds the length or keeps characters that XML forbids', () => {
  fc.assert(
    fc.property(hostileText, (markdown) => {
      const text = toPlainText(markdown, 60);
      expect(text.length).toBeLessThanOrEqual(60);
      expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]/);
      expect(text.isWellFormed()).toBe(true);
    }),
    { numRuns: 200 },
  );
});

// ASVS 1.3.3
test('forbidden characters are removed, lone surrogates replaced, line ends are line feeds', () => {
  expect(toXmlText('a\0b\x07c\ud800d\r\ne\rf\u2028g\uffff')).toBe('abc\ufffdd\ne\nf\ng');
  expect(toOneLine('  a \r\n\t b\u00a0c ')).toBe('a b c');
});

test('a cut does not split a surrogate pair', () => {
  expect(shortenText('😀'.repeat(10), 6)).toBe('😀😀…');
});
