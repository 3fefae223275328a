import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseColor } from '#lib/events/source/airtable/cells/cells.ts';
import { anyText } from '../../../../support/factories/any-text.ts';

test.for([
  ['#FFF', '#ffffff'],
  ['FF8800', '#ff8800'],
  [' rebeccapurple ', '#663399'],
  ['rgb(255 0 0)', '#ff0000'],
  ['rgb(255 0 0 / 50%)', '#ff000080'],
  ['hsl(120 100% 25%)', '#008000'],
  ['transparent', '#00000000'],
] as const)('%s is a colour', ([text, color]) => {
  expect(parseColor(text)).toBe(color);
});

test.for([
  '',
  'bluish',
  'red;background:url(//x)',
  'var(--paper)',
  'expression(alert(1))',
  'currentColor',
  '</style>',
  '#ff0000" onload="x',
  'url(x)',
  // These make the parser throw.
  'rgb(0 0 0 / 5px)',
  '/0g',
  '#12345',
  `#${'f'.repeat(100)}`,
])('%s is not a colour', (text) => {
  expect(parseColor(text)).toBeNull();
});

test('any text gives a hexadecimal colour or null', () => {
  const number = fc.oneof(
    fc.constantFrom('5px', '2e', '90deg'),
    fc.double().map(String),
    fc.constantFrom('none', '1e999', '-1', '50%', '0'),
  );
  const written = fc
    .tuple(
      fc.constantFrom('rgb', 'rgba', 'hsl', 'lab', 'oklch', 'color(srgb', 'hwb'),
      number,
      number,
      number,
      number,
    )
    .map(([name, a, b, c, d]) => `${name}${name.includes('(') ? ' ' : '('}${a} ${b} ${c} / ${d})`);
  fc.assert(
    fc.property(fc.oneof(written, anyText()), (text) => {
      expect(parseColor(text) ?? '#000000').toMatch(/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/);
    }),
    { numRuns: 200 },
  );
});
