import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  black,
  parseHexColor,
  toContrast,
  toHex,
  white,
} from '#lib/representations/theming/color.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { anyColor } from './any-color.ts';

test('black on white has the highest possible contrast, and a colour on itself the lowest', () => {
  expect(toContrast(black, white)).toBeCloseTo(21);
  expect(toContrast([200, 30, 60], [200, 30, 60])).toBe(1);
});

// Figures from WCAG's own examples of greys on white.
test.for([
  ['#767676', 4.54],
  ['#949494', 3.03],
  ['#0000ff', 8.59],
] as const)('%s on white has a contrast of %d', ([text, contrast]) => {
  expect(toContrast(parseHexColor(text) ?? white, white)).toBeCloseTo(contrast, 2);
});

test('a formatted colour parses to itself', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      expect(parseHexColor(toHex(color))).toEqual(color);
    }),
  );
});

test('a half transparent colour is mixed half with its background', () => {
  expect(parseHexColor('#00000080', white)).toEqual([127, 127, 127]);
  expect(parseHexColor('#ff000000', [1, 2, 3])).toEqual([1, 2, 3]);
});

test('anything but a hexadecimal colour is rejected', () => {
  for (const text of ['', 'red', '#fff', '#1234567', '#ff0000;', 'url(x)', '#ff0000 ']) {
    expect(parseHexColor(text)).toBeNull();
  }
  fc.assert(
    fc.property(anyText(), (text) => {
      const color = parseHexColor(text);
      expect(color === null || /^#[0-9a-f]{6,8}$/i.test(text)).toBe(true);
    }),
  );
});
