import { expect, test } from 'vitest';
import { listCountryCodes, toCountryName } from '#lib/events/words/countries.ts';
import { parseCountry, parseCountryName } from '#lib/events/words/parse-country.ts';

const countryCodes = listCountryCodes();

test('there are the 249 codes of ISO 3166-1, and Kosovo', () => {
  expect(countryCodes).toHaveLength(250);
  expect(countryCodes).toContain('XK');
  for (const code of ['EU', 'UN', 'AC', 'SU', 'YU', 'UK', 'ZZ']) {
    expect(countryCodes).not.toContain(code);
  }
});

test('every country is found by its code and its own name', () => {
  for (const code of countryCodes) {
    expect(parseCountry(code.toLowerCase())).toBe(code);
    expect(parseCountry(toCountryName(code))).toBe(code);
  }
});

test.for([
  ['Belgium', 'BE'],
  [' BELGIUM. ', 'BE'],
  ['UK', 'GB'],
  ['England', 'GB'],
  ['U.S.A.', 'US'],
  ['the Netherlands', 'NL'],
  ["Côte d'Ivoire", 'CI'],
  ['Ivory Coast', 'CI'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Saint Lucia', 'LC'],
  ['St. Lucia', 'LC'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Kosovo', 'XK'],
  ['Hong Kong', 'HK'],
  ['USA', 'US'],
  ['deu', 'DE'],
  ['Korea, Republic of', 'KR'],
  ['Korea (the Republic of)', 'KR'],
  ["Korea, Democratic People's Republic of", 'KP'],
  ['Taiwan, Province of China', 'TW'],
  ['Bolivia (Plurinational State of)', 'BO'],
  ['Venezuela, Bolivarian Republic of', 'VE'],
  ['Iran (Islamic Republic of)', 'IR'],
  ['Congo, The Democratic Republic of the', 'CD'],
  ['Moldova (the Republic of)', 'MD'],
  ['Tanzania, United Republic of', 'TZ'],
  ['Virgin Islands (U.S.)', 'VI'],
  ['Palestine, State of', 'PS'],
  ['Hong Kong SAR', 'HK'],
  ['Macao S.A.R.', 'MO'],
  ['Hong Kong SAR China', 'HK'],
  ['United Kingdom (UK)', 'GB'],
  ['United Kingdom of Great Britain and Northern Ireland', 'GB'],
  ['United States of America', 'US'],
  ['🇧🇪', 'BE'],
  ['🇺🇸 United States', 'US'],
  ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'GB'],
  ['🇽🇽', null],
  ['Deutschland', 'DE'],
  ['Espagne', 'ES'],
  ['Österreich', 'AT'],
  ['Česko', 'CZ'],
  ['日本', 'JP'],
  ['Ελλάδα', 'GR'],
  ['Россия', 'RU'],
  ['대한민국', 'KR'],
  ['Hong Kong, China', 'HK'],
  ['Slovak Republic', 'SK'],
  ['Czech', 'CZ'],
  ['العربية السعودية', 'SA'],
  ['Federal Republic of Germany', 'DE'],
  ['the Republic of Ireland', 'IE'],
  ['Kingdom of Spain', 'ES'],
  ['Republic of China', 'TW'],
  ['Belgium, Netherlands', null],
  ['USA, Canada', null],
  ['I/O', null],
  ['i.o', null],
  ['Niger', 'NE'],
  ['Nigeria', 'NG'],
  ['Guinea', 'GN'],
  ['Dominica', 'DM'],
  ['Atlantis', null],
  ['EU', null],
  ['', null],
  ['__proto__', null],
] as const)('%j', ([text, code]) => {
  expect(parseCountry(text)).toBe(code);
});

test('a word of a search is a country only by its English name', () => {
  expect(parseCountryName('Germany')).toBe('DE');
  expect(parseCountryName('Deutschland')).toBeNull();
  // Iceland in German, and codes of three letters.
  for (const word of ['island', 'can', 'per', 'and', 'I/O', 'us', 'i ran']) {
    expect(parseCountryName(word)).toBeNull();
  }
});
