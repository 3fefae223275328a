import { expect, test } from 'vitest';
import { toTextLanguage } from '#lib/events/view/text-language.ts';

test.each([
  ['夜のゲームジャム', { lang: 'ja' }],
  ['한밤의 해커톤', { lang: 'ko' }],
  ['深夜编程马拉松', { lang: 'zh' }],
  ['סדנת לילה', { lang: 'he', dir: 'rtl' }],
  ['ورشة الإلكترونيات', { lang: 'ar', dir: 'rtl' }],
  ['کارگاه برنامه‌نویسی گروهی', { lang: 'fa', dir: 'rtl' }],
  ['رات کے کھیل', { lang: 'ur', dir: 'rtl' }],
  ['Νύχτα κατασκευών', { lang: 'el' }],
  ['🌙 夜会', { lang: 'zh' }],
])('%s', (text, language) => {
  expect(toTextLanguage(text)).toEqual(language);
});

test('scripts of many languages say nothing', () => {
  for (const text of ['Solder Sunday', 'Ночь открытых схем', 'Fête des Électrons', '', '🛠️ 24']) {
    expect(toTextLanguage(text)).toEqual({});
  }
});

test('a foreign word in a Latin title changes neither its language nor its direction', () => {
  expect(toTextLanguage('Game Jam 東京')).toEqual({});
  expect(toTextLanguage('Workshop in ירושלים')).toEqual({});
});
