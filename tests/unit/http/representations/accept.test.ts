import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptQuality, namesMediaType } from '#lib/http/representations/accept.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { linearGrowthMax, measureGrowth } from '../../../support/measure-growth.ts';

test('no Accept header, an empty one and */* accept everything', () => {
  for (const accept of [null, '', '   ', '*/*', '*']) {
    expect(acceptQuality(accept, 'application/json')).toBe(1);
  }
});

test('the most specific range applies, anywhere in the list', () => {
  for (const accept of [
    'text/html;q=0.2, text/*;q=0.5, */*;q=0.9',
    '*/*;q=0.9, text/*;q=0.5, text/html;q=0.2',
  ]) {
    expect(acceptQuality(accept, 'text/html')).toBe(0.2);
    expect(acceptQuality(accept, 'text/markdown')).toBe(0.5);
    expect(acceptQuality(accept, 'application/json')).toBe(0.9);
  }
});

test('q=0 excludes a type that a wildcard would accept', () => {
  expect(acceptQuality('*/*, application/json;q=0', 'application/json')).toBe(0);
  expect(acceptQuality('text/*;q=0, */*', 'text/html')).toBe(0);
});

test('types match whatever their case, blanks and parameters', () => {
  expect(acceptQuality(' TEXT/HTML ; Level=1 ; Q=0.4 ', 'text/html')).toBe(0.4);
  expect(namesMediaType('Text/Markdown;variant=GFM', 'text/markdown')).toBe(true);
});

test('an invalid weight is ignored, one out of range is clamped', () => {
  expect(acceptQuality('text/html;q=much', 'text/html')).toBe(1);
  expect(acceptQuality('text/html;q=7', 'text/html')).toBe(1);
  expect(acceptQuality('text/html;q=-1', 'text/html')).toBe(0);
});

test('a comma inside a quoted parameter does not separate ranges', () => {
  expect(acceptQuality('text/markdown;profile="a,b";q=0, */*', 'text/markdown')).toBe(0);
});

test('a wildcard is not an explicit type', () => {
  expect(namesMediaType('text/*, */*', 'text/markdown')).toBe(false);
  expect(namesMediaType(null, 'text/markdown')).toBe(false);
});

const types = ['text/html', 'text/markdown', 'text/plain', 'application/json'] as const;
const weighted = fc.record({
  range: fc.constantFrom(...types, 'text/*', 'application/*', '*/*'),
  q: fc.option(fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)),
});

test('the order of a list does not matter', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(weighted, { selector: (weightedRange) => weightedRange.range }),
      (ranges) => {
        const write = (list: typeof ranges) =>
          list.map(({ range, q }) => (q === null ? range : `${range};q=${q}`)).join(', ');
        for (const type of types) {
          const there = acceptQuality(write(ranges), type);
          expect(acceptQuality(write(ranges.toReversed()), type)).toBe(there);
        }
      },
    ),
  );
});

test('any Accept header gives a quality from 0 to 1', () => {
  const text = fc.oneof(
    anyText(),
    fc
      .array(fc.constantFrom(...'*/;,=q"0.1 \\textml-'), { maxLength: 60 })
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...types), (accept, type) => {
      const q = acceptQuality(accept, type);
      expect(q >= 0 && q <= 1).toBe(true);
      expect(acceptQuality(accept, type)).toBe(q);
    }),
  );
});

test.for([',', '"', ';q=', '"\\'])('a malicious header of %s is parsed in linear time', (piece) => {
  const parse = (header: string) => acceptQuality(header, 'text/html');
  expect(measureGrowth(piece.repeat(50_000), parse)).toBeLessThan(linearGrowthMax);
});
