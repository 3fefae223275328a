import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventTheme } from '#lib/events/model/schema.ts';
import {
  black,
  mixColors,
  parseHexColor,
  toContrast,
  white,
} from '#lib/representations/theming/color.ts';
import { toOgImageColors } from '#lib/site/media/og-image/draw-og-image.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

type Look = Readonly<{ ground: string; text: string; accent: string; hasPicture: boolean }>;

function paint({ ground, text, accent, hasPicture }: Look) {
  const button = { color: text, textColor: ground, borderColor: text };
  const theme: EventTheme = {
    text,
    accent,
    logoSize: 100,
    button: { ...button, borderRadius: 0, borderWidth: 0 },
  };
  const picture = { id: 'attA', url: 'https://a.example/', width: 1, height: 1, thumbHash: null };
  return makeEvent({
    theme,
    background: { type: hasPicture ? 'image' : 'color', color: ground },
    pictures: { logo: null, background: hasPicture ? picture : null },
  });
}

function read(color: string) {
  const parsed = parseHexColor(color);
  if (parsed === null) throw new Error(`${color} is not a colour`);
  return parsed;
}

test('legible colours are unchanged', () => {
  const look = { ground: '#1f2430', text: '#ffffff', accent: '#ffb454' };
  expect(toOgImageColors(paint({ ...look, hasPicture: false }))).toEqual({ ...look, cover: 1 });
});

test('an event without a theme gets the default colours', () => {
  const colors = toOgImageColors(makeEvent({ theme: null, background: null }));
  expect(toContrast(read(colors.text), read(colors.ground))).toBeGreaterThan(7);
});

test('any colours give text a contrast of 4.5:1, on the ground and on the scrim over any picture', () => {
  fc.assert(
    fc.property(hex, hex, hex, fc.boolean(), (ground, text, accent, hasPicture) => {
      const colors = toOgImageColors(paint({ ground, text, accent, hasPicture }));
      for (const below of hasPicture ? [black, white] : [read(colors.ground)]) {
        const behind = mixColors(below, read(colors.ground), colors.cover);
        // 4.45: colours of pixels are rounded to whole steps.
        expect(toContrast(read(colors.text), behind)).toBeGreaterThanOrEqual(4.45);
      }
      expect(toContrast(read(colors.text), read(colors.ground))).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});
