import { expect, test } from 'vitest';
import { listCountryCodes, parseCountry, toCountryName } from '#lib/events/words/countries.ts';

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
  ['Atlantis', null],
  ['EU', null],
  ['', null],
  ['__proto__', null],
] as const)('%j', ([text, code]) => {
  expect(parseCountry(text)).toBe(code);
});
