import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBackground, EventTheme } from '#lib/events/model/schema.ts';
import { mixColors, toContrast } from '#lib/representations/theming/color.ts';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { makePosterPicture } from '../../../support/factories/event-factory.ts';
import { anyColor, anyColorText } from './any-color.ts';

const pictures = { logo: null, background: null };
const withPicture = { logo: null, background: makePosterPicture() };

const anyNumber = fc.oneof(fc.integer({ min: -1000, max: 2000 }), fc.double());
// Colours are checked when the table is read; values that pass must do no harm.
const anyWords = fc.oneof({ weight: 9, arbitrary: anyColorText }, anyText());
const anyBackground: fc.Arbitrary<EventBackground> = fc.record({
  type: fc.constantFrom('color', 'image'),
  color: anyWords,
});
const anyTheme: fc.Arbitrary<EventTheme> = fc.record({
  text: anyWords,
  accent: anyWords,
  logoSize: anyNumber,
  button: fc.record({
    color: anyWords,
    textColor: anyWords,
    borderRadius: anyNumber,
    borderWidth: anyNumber,
    borderColor: anyWords,
  }),
});
const anyLook = fc.record({
  background: fc.option(anyBackground),
  theme: fc.option(anyTheme),
  pictures: fc.constantFrom(pictures, withPicture),
});

test('for any event colours, every text on a poster reaches 4.5:1 over any picture', () => {
  fc.assert(
    fc.property(anyLook, anyColor, (look, pixel) => {
      const theme = toPosterTheme(look);
      if (theme === null) return;
      const { background, text, accent, scrim, button } = theme;
      const seen = scrim === null ? background : mixColors(pixel, background, scrim.opacity);
      expect(toContrast(text, seen)).toBeGreaterThanOrEqual(4.5);
      expect(toContrast(accent, seen)).toBeGreaterThanOrEqual(4.5);
      expect(toContrast(button.text, button.color)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});

test('styles contain only colours, lengths and percentages', () => {
  fc.assert(
    fc.property(anyLook, (look) => {
      const theme = toPosterTheme(look);
      if (theme === null) return;
      for (const value of Object.values(toPosterProperties(theme))) {
        expect(value).toMatch(/^(?:#[0-9a-f]{6}|\d{1,3}px|\d{1,3}(?:\.\d)?%)$/);
      }
    }),
  );
});

test('an event without styling has no theme', () => {
  expect(toPosterTheme({ background: null, theme: null, pictures })).toBeNull();
});

test('readable colours are left unchanged', () => {
  const theme = toPosterTheme({
    pictures,
    background: { type: 'color', color: '#f8c33c' },
    theme: {
      text: '#17151f',
      accent: '#862c1e',
      logoSize: 120,
      button: {
        color: '#17151f',
        textColor: '#f8c33c',
        borderRadius: 6,
        borderWidth: 2,
        borderColor: '#ffffff',
      },
    },
  });
  expect(theme && toPosterProperties(theme)).toEqual({
    '--poster-background': '#f8c33c',
    '--poster-text': '#17151f',
    '--poster-accent': '#862c1e',
    '--poster-logo-size': '120px',
    '--poster-button-edge': '#ffffff',
    '--poster-button-width': '2px',
    '--poster-button-radius': '6px',
  });
});

test('a button in the background colour gets a border', () => {
  const theme = toPosterTheme({
    pictures,
    background: { type: 'color', color: '#ffffff' },
    theme: {
      text: '#000000',
      accent: '#000000',
      logoSize: 90,
      button: {
        color: '#fefefe',
        textColor: '#222222',
        borderRadius: 999,
        borderWidth: 0,
        borderColor: '#ffffff',
      },
    },
  });
  expect(theme?.button).toMatchObject({ borderWidth: 2, borderColor: [34, 34, 34] });
});

test('a background colour alone gives readable text and a readable button', () => {
  const background = { type: 'color', color: '#2340c4' } as const;
  const theme = toPosterTheme({ pictures, background, theme: null });
  expect(theme).toMatchObject({ text: [255, 255, 255], scrim: null });
});

test('only a poster with a background picture has a scrim', () => {
  const color = { type: 'color', color: '#2340c4' } as const;
  expect(
    toPosterTheme({ background: color, theme: null, pictures: withPicture })?.scrim,
  ).toBeNull();
  const image = { ...color, type: 'image' } as const;
  expect(
    toPosterTheme({ background: image, theme: null, pictures: withPicture })?.scrim,
  ).not.toBeNull();
  expect(toPosterTheme({ background: image, theme: null, pictures })?.scrim).toBeNull();
});
