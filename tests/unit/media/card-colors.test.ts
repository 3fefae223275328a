import { blend, formatHex, wcagContrast } from 'culori';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrimOpacity, toCardColors } from '#lib/media/card/card-colors.ts';

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('colours that can be read are left as they are', () => {
  const look = { background: '#1f2430', text: '#ffffff', accent: '#ffb454' };
  expect(toCardColors(look, false)).toEqual({
    ground: '#1f2430',
    text: '#ffffff',
    accent: '#ffb454',
  });
});

test('text that cannot be read becomes black or white, and the ground stays', () => {
  const dark = { background: '#10173d', text: '#222222', accent: '#ffffff' };
  expect(toCardColors(dark, false)).toMatchObject({ ground: '#10173d', text: '#ffffff' });
  const light = { background: '#f8c33c', text: '#f7f0e1', accent: '#ffffff' };
  expect(toCardColors(light, false)).toMatchObject({ ground: '#f8c33c', text: '#101014' });
});

test('any three colours give text of at least 4.5:1 on the ground', () => {
  fc.assert(
    fc.property(hex, hex, hex, (background, text, accent) => {
      const colors = toCardColors({ background, text, accent }, false);
      expect(wcagContrast(colors.text, colors.ground)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2000 },
  );
});

test('and on the scrim over any picture', () => {
  fc.assert(
    fc.property(hex, hex, hex, (background, text, pixel) => {
      const colors = toCardColors({ background, text, accent: '#000000' }, true);
      const scrim = `${colors.ground}${Math.round(scrimOpacity * 255).toString(16)}`;
      const behind = formatHex(blend([pixel, scrim], 'normal', 'rgb'));
      // A pixel has whole steps, a scrim has not.
      expect(wcagContrast(colors.text, behind)).toBeGreaterThanOrEqual(4.45);
    }),
    { numRuns: 2000 },
  );
});

test.each(['#ff000000', 'transparent', 'nonsense', ''])(
  'the background %j gives an opaque ground',
  (background) => {
    const { ground } = toCardColors({ background, text: '#fff', accent: '#fff' }, false);
    expect(ground).toMatch(/^#[0-9a-f]{6}$/);
  },
);
