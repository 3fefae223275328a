import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawFittedText, drawText } from '#lib/site/media/og-image/draw-text.ts';
import { openOgFonts } from '#lib/site/media/og-image/og-fonts.ts';

import { hostileText } from '../../../../support/factories/hostile-text.ts';

const style = { color: '#ff0000', widthMax: 600 };

async function inkOf(text: string) {
  const drawn = await drawText(text, { ...style, size: 40 });
  if (drawn === null) return null;
  const { data, info } = await sharp(drawn.png).raw().toBuffer({ resolveWithObject: true });
  return { data, info };
}

test('text is drawn in its colour, cropped to its ink', async () => {
  const ink = await inkOf('Lantern Jam');
  expect(ink?.info.width).toBeGreaterThan(100);
  expect(ink?.info.height).toBeLessThan(60);
  const opaque = ink?.data.findIndex((value, index) => index % 4 === 3 && value === 255) ?? -1;
  expect([...(ink?.data.subarray(opaque - 3, opaque) ?? [])]).toEqual([255, 0, 0]);
});

test('text is drawn in the site’s own typeface, whatever the machine has', async () => {
  // DejaVu Sans, which most Linux systems have, takes 355 pixels.
  const drawn = await drawText('Robot Sumo, Łódź', { ...style, size: 40 });
  expect(drawn?.width).toBeGreaterThan(340);
  expect(drawn?.width).toBeLessThan(350);
});

test('markup is drawn as text', async () => {
  const plain = await inkOf('a b');
  const marked = await inkOf('<b>a</b> &amp; "b"');
  expect(marked?.info.width).toBeGreaterThan((plain?.info.width ?? 0) * 2);
});

test('long text is wrapped, and a long word too', async () => {
  const words = await drawText('seven words that do not fit one line '.repeat(3), {
    ...style,
    size: 40,
  });
  const word = await drawText('unbroken'.repeat(30), { ...style, size: 40 });
  for (const drawn of [words, word]) {
    expect(drawn?.width).toBeLessThanOrEqual(600);
    expect(drawn?.height).toBeGreaterThan(80);
  }
});

test.each<[script: string, text: string, family: string]>([
  ['Cyrillic', 'Ніч відкритих схем', 'Noto Sans'],
  ['Arabic', 'ورشة الإلكترونيات', 'Noto Sans Arabic'],
  ['Thai', 'ค่ำคืนแห่งโคมไฟ', 'Noto Sans Thai'],
  ['Hebrew', 'סדנת אלקטרוניקה', 'Noto Sans Hebrew Thin'],
  ['Japanese', '小さな電子工作の夜', 'Noto Sans JP Thin'],
  ['simplified Chinese', '上海电子音乐黑客松', 'Noto Sans SC Thin'],
  ['Korean', '서울 메이커 해커톤', 'Noto Sans KR Thin'],
  ['emoji', '🌱🎉', 'Noto Emoji'],
])('%s is drawn in a font that the build brings along', async (_, text, family) => {
  const fonts = openOgFonts(`${process.cwd()}/.next/og-fonts`);
  expect(await fonts.load(text.replaceAll(' ', ''))).toEqual([family]);
  for (const letter of text.replaceAll(' ', '')) expect(await fonts.has(letter)).toBe(true);
  const ink = await inkOf(text);
  expect(ink?.info.width).toBeGreaterThan(60);
});

test('letters of a script that no font has leave no boxes', async () => {
  expect((await inkOf('Jam ᚠᛇᚻ 𓀀'))?.info).toEqual((await inkOf('Jam'))?.info);
  expect(await inkOf('ᚠᛇᚻ')).toBeNull();
});

test('Latin letters, digits and punctuation beside another script stay in the site’s typeface', async () => {
  const fonts = openOgFonts(`${process.cwd()}/.next/og-fonts`);
  const families = await fonts.load('20–22 Nov 2026 · 旧印刷工場、東京');
  expect(families).toEqual(['Archivo SemiBold', 'Noto Sans JP Thin']);
});

test('without the fonts of a build, the machine’s are used and emoji are left out', async () => {
  const fonts = openOgFonts('/nowhere');
  expect(await fonts.load('Jam')).toEqual([]);
  expect(await fonts.has('🎉')).toBe(false);
});

test.each(['', '   ', '🇵🇹', '\ufe0f', '\u200b'])('%j draws nothing visible', async (text) => {
  const drawn = await drawText(text, { ...style, size: 40 });
  expect(drawn?.width ?? 0).toBeLessThan(20);
});

test('of an emoji sequence, the first is drawn; flags are left out', async () => {
  expect((await inkOf('Jam 👩‍👩‍👧'))?.info).toEqual((await inkOf('Jam 👩'))?.info);
  expect((await inkOf('Jam 👍🏽'))?.info).toEqual((await inkOf('Jam 👍'))?.info);
  expect((await inkOf('Jam 🇵🇹'))?.info).toEqual((await inkOf('Jam'))?.info);
});

test('text that is too high gets a smaller font, and is then shortened', async () => {
  const fit = { ...style, sizes: [80, 40], heightMax: 100 };
  expect((await drawFittedText('Jam', fit))?.height).toBeGreaterThan(50);
  for (const text of ['a name of some length '.repeat(2), 'a very long name '.repeat(40)]) {
    expect((await drawFittedText(text, fit))?.height).toBeLessThanOrEqual(100);
  }
});

test('any text fits its box', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const drawn = await drawFittedText(text, { ...style, sizes: [60, 30], heightMax: 120 });
      expect(drawn?.height ?? 0).toBeLessThanOrEqual(120);
      expect(drawn?.width ?? 0).toBeLessThanOrEqual(640);
    }),
    { numRuns: 60 },
  );
});
