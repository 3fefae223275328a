import { expect, test } from 'vitest';
import { parseSearch } from '#lib/events/search/parse-search.ts';
import { convertRow } from '../../../support/airtable/convert-row.ts';

const vocabulary = {
  cities: new Map(),
  citiesByKey: new Map(),
  organizers: new Map(),
  series: new Map(),
  cityPositions: new Map(),
};

/** What a search understands, and the words that are left. */
function search(q: string) {
  const { understood, text } = parseSearch(q, {
    today: '2026-11-25',
    vocabulary,
    positionsByName: new Map(),
    toName: () => '',
    isName: () => false,
    isKnown: () => false,
  });
  return [...understood.map(({ label }) => label), ...text.map(({ typed }) => typed)];
}

/** The start of a row whose cell says so. */
const cell = (text: string) => convertRow({ 'Start Date': text }).startDate ?? null;

// A Saturday, in full and as people shorten it.
test.for([
  ['English', 'Saturday, 5 December 2026', 'Sat Dec 5th 2026'],
  ['German', 'Samstag, 5. Dezember 2026', '5. Dez. 2026'],
  ['French', 'samedi 5 décembre 2026', 'sam. 5 déc. 2026'],
  ['Spanish', 'sábado, 5 de diciembre de 2026', 'dic 5 2026'],
  ['Portuguese', 'sábado, 5 de dezembro de 2026', '5 de dez. de 2026'],
  ['Italian', 'sabato 5 dicembre 2026', 'sab 5 dic 2026'],
  ['Dutch', 'zaterdag 5 december 2026', '5 dec. 2026'],
  ['Polish', 'sobota, 5 grudnia 2026', 'sob. 5 gru 2026'],
  ['Swedish', 'lördag 5 december 2026', '5 dec. 2026'],
  ['Danish', 'lørdag den 5. december 2026', '5. dec. 2026'],
  ['Norwegian', 'lørdag 5. desember 2026', '5. des. 2026'],
  ['Finnish', 'lauantai 5. joulukuuta 2026', '5. joulukuuta 2026'],
  ['Czech', 'sobota 5. prosince 2026', '5. 12. 2026'],
  ['Hungarian', '2026. december 5., szombat', '2026. dec. 5.', '2026. 12. 05.'],
  ['Romanian', 'sâmbătă, 5 decembrie 2026', '5 dec. 2026'],
  ['Turkish', '5 Aralık 2026 Cumartesi', '5 Ara 2026'],
  ['Greek', 'Σάββατο 5 Δεκεμβρίου 2026', '5 Δεκ 2026'],
  ['Russian', 'суббота, 5 декабря 2026 г.', '5 дек. 2026'],
  ['Ukrainian', 'субота, 5 грудня 2026 р.', '5 груд. 2026'],
  ['Arabic', 'السبت 5 ديسمبر 2026', '5 ديسمبر 2026'],
  ['Hebrew', '5 בדצמבר 2026', '5 דצמבר 2026'],
  ['Hindi', 'शनिवार 5 दिसंबर 2026', '5 दिस॰ 2026'],
  ['Indonesian', 'Sabtu, 05 Desember 2026', '5 Des 2026'],
  ['digits', '2026/12/05', '05.12.2026'],
] as const)('a day in %s is the same in a search and in a cell', ([, ...texts]) => {
  for (const text of texts) {
    expect([cell(text), search(text)], text).toEqual(['2026-12-05', ['5 Dec 2026']]);
  }
});

test('without a year, a search means each year, and a cell nothing', () => {
  for (const text of ['dic 5', '5. Dez.', '5 aralık', '5 декабря', '5. prosince', '5 joulukuuta']) {
    expect([cell(text), search(text)], text).toEqual([null, ['5 Dec']]);
  }
});

test('where day and month may be the other way round, a search shows its guess, and a cell says nothing', () => {
  for (const text of ['05/12/2026', '5-12-2026', '5 12 2026']) {
    expect([cell(text), search(text)], text).toEqual([null, ['5 Dec 2026']]);
  }
  expect([cell('12/25/2026'), search('12/25/2026')]).toEqual(['2026-12-25', ['25 Dec 2026']]);
});

test('several days are a span for a search, and a cell starts with the first', () => {
  for (const text of ['5–7 Dez. 2026', '5 to 7 décembre 2026']) {
    expect([cell(text), search(text)], text).toEqual(['2026-12-05', ['5–7 Dec 2026']]);
  }
});

test('a month and a year are a span for a search, and no start for a cell', () => {
  const spans = {
    '2026/12': 'December 2026',
    'diciembre 2026': 'December 2026',
    '2026. december': 'December 2026',
    2027: '2027',
  };
  for (const [text, label] of Object.entries(spans)) {
    expect([cell(text), search(text)], text).toEqual([null, [label]]);
  }
});

test('what is called like a weekday is a month where it stands for one', () => {
  for (const text of ['5 Mar 2027', 'Mar 5, 2027', 'mar 5 mar 2027']) {
    expect(cell(text), text).toBe('2027-03-05');
  }
});

test('two letters before an English day are rather a city or a state than a weekday', () => {
  expect(search('la 5 december')).toEqual(['5 Dec', 'la']);
  expect(search('sa 5 dezember')).toEqual(['5 Dec']);
});

test('a day belongs to the month behind it, whatever the word before may mean elsewhere', () => {
  expect(search('out 5 december')).toEqual(['5 Dec', 'out']);
  expect(search('out 5')).toEqual(['5 Oct']);
  expect(search('5 dec mars 2027')).toEqual(['5 Dec', 'March 2027']);
});

test('each month is read as Intl writes a full date, in each language', () => {
  const languages = 'en-GB en-US de fr es pt it nl pl sv da nb fi cs hu ro tr el ru uk ar he hi id';
  const misread: string[] = [];
  for (const language of languages.split(' ')) {
    for (let month = 1; month <= 12; month++) {
      const date = `2026-${String(month).padStart(2, '0')}-17`;
      const format = { timeZone: 'UTC', numberingSystem: 'latn' };
      for (const dateStyle of ['full', 'long'] as const) {
        const text = new Date(date).toLocaleDateString(language, { ...format, dateStyle });
        const label = new Date(date).toLocaleDateString('en-GB', {
          ...format,
          dateStyle: 'medium',
        });
        const isRead = cell(text) === date && search(text).join() === label.replace('Sept', 'Sep');
        if (!isRead) misread.push(text);
      }
    }
  }
  expect(misread).toEqual([]);
});
