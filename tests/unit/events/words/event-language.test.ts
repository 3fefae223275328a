import { expect, test } from 'vitest';
import { toTextAttributes } from '#lib/events/words/event-language.ts';

test.for([
  ['夜のゲームジャム', 'ja'],
  ['GitHub もくもく会', 'ja'],
  ['深夜工作坊', 'zh'],
  ['한밤의 해커톤', 'ko'],
  ['Πρώτη συνάντηση', 'el'],
  ['งานประดิษฐ์', 'th'],
  ['Ночной хакатон', 'und-Cyrl'],
  ['रात की कार्यशाला', 'und-Deva'],
] as const)('“%s” is written from left to right, in %s', ([name, lang]) => {
  expect(toTextAttributes({ name })).toEqual({ lang, dir: 'ltr' });
});

test.for([
  ['ورشة الإلكترونيات الصغيرة', 'ar'],
  ['کارگاه چاپ', 'fa'],
  ['چھوٹے برقی پرزے', 'ur'],
  ['סדנת רובוטים', 'he'],
] as const)('“%s” is written from right to left, in %s', ([name, lang]) => {
  expect(toTextAttributes({ name })).toEqual({ lang, dir: 'rtl' });
});

test.for(['Fête des Électrons Libres', 'Hz', '🛠️🔥🤖', '', '42', 'Open Shed 深夜', 'Big café קטן'])(
  'the language of “%s” is unknown',
  (name) => {
    expect(toTextAttributes({ name })).toEqual({ dir: 'ltr' });
  },
);

test.for([
  ['Construimos los robots del barrio y los probamos para la fiesta.', 'es'],
  ['Une nuit pour réparer les radios du quartier, avec des gens sympas.', 'fr'],
  ['Build the robots of Los Angeles and test them for the party.', undefined],
  ['Costruiamo robot con gli amici del quartiere.', undefined],
] as const)('“%s” is in %s', ([description, lang]) => {
  expect(toTextAttributes({ name: 'Robot Night', description }).lang).toBe(lang);
});

test('the description decides between languages that share a script', () => {
  expect(toTextAttributes({ name: '東京電子工作', description: '夜に作ります。' }).lang).toBe('ja');
  expect(toTextAttributes({ name: '電子工作坊', description: '晚上一起做。' }).lang).toBe('zh');
  expect(toTextAttributes({ name: 'Tokyo Jam', description: '夜に作ります。' })).toEqual({
    dir: 'ltr',
  });
});
