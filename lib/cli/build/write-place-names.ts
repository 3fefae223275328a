import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import isoCodes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import isoNames from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { toCityKey } from '#lib/events/words/cities.ts';
import { listCountryCodes } from '#lib/events/words/countries.ts';
import { toNameKey } from '#lib/events/words/fold-text.ts';
import { toCountryKey } from '#lib/events/words/parse-country.ts';
import { listParts, listRegions } from '#lib/events/words/regions.ts';

/**
 * Writes the names of countries and cities by which tables and searches are read, and where the cities are:
 * `npm run place-names -- FILE`, with GeoNames’ `cities15000.txt` (https://download.geonames.org/export/dump/, CC BY 4.0).
 */

/** In which people write the names of countries. */
const languages =
  'de fr es it pt pt-PT nl sv da nb fi is et lv lt pl cs sk sl hr sr bs mk sq hu ro bg ru uk be el tr az ka hy he ar fa ur hi bn ta th vi id ms fil sw af ca eu gl cy ko ja zh zh-Hant';

type CountryNames = Readonly<{ alpha3: string; english: string[]; others: string[] }>;

/** By code: its three letters, and what a country is called in ISO 3166 and CLDR.  */
function collectCountryNames(): Record<string, CountryNames> {
  const codes = listCountryCodes();
  const alpha3 = new Map(isoCodes.map(([code = '', letters = '']) => [code, letters]));
  const english = indexNames([...listIsoNames(), ...listNames(['en'], codes)]);
  const others = indexNames(listNames(languages.split(' '), codes));
  return Object.fromEntries(
    codes.map((code) => {
      const isOf = ([, owner]: readonly [string, string]) => owner === code;
      const names = {
        alpha3: alpha3.get(code) ?? '',
        english: [...english].filter(isOf).map(([key]) => key),
        others: [...others]
          .filter((entry) => isOf(entry) && !english.has(entry[0]) && !/^[a-z]{2}$/.test(entry[0]))
          .map(([key]) => key),
      };
      return [code, names] as const;
    }),
  );
}

/** The code of each name. The first one that has it decides. */
function indexNames(names: readonly (readonly [code: string, name: string])[]) {
  const codes = new Map<string, string>();
  for (const [code, name] of names) {
    const key = toCountryKey(name);
    if (key !== '' && !codes.has(key)) codes.set(key, code);
  }
  return codes;
}

function listNames(locales: readonly string[], codes: readonly string[]) {
  return locales.flatMap((locale) =>
    (['long', 'short'] as const).flatMap((style) => {
      const names = new Intl.DisplayNames(locale, { type: 'region', style });
      return codes.map((code) => [code, names.of(code) ?? ''] as const);
    }),
  );
}

function listIsoNames(): (readonly [code: string, name: string])[] {
  return Object.entries(isoNames.countries).flatMap(([code, name]) =>
    [name].flat().map((one) => [code, one] as const),
  );
}

type City = Readonly<{
  name: string;
  otherNames: readonly string[];
  latitude: number;
  longitude: number;
  country: string;
  /** GeoNames’ code of the first administrative division. */
  division: string;
  population: number;
  isCapital: boolean;
}>;

// https://download.geonames.org/export/dump/readme.txt
function parseCities(text: string): City[] {
  const rows = text.split('\n').map((line) => line.split('\t'));
  return rows
    .filter((row) => row.length > 14)
    .map(([, name = '', ascii = '', others = '', latitude, longitude, ...rest]) => ({
      name,
      // `Washington, D.C.`
      otherNames: [name.replace(/,.*/, ''), ascii, ...others.split(',')],
      latitude: Number(latitude),
      longitude: Number(longitude),
      country: rest[2] ?? '',
      division: rest[4] ?? '',
      population: Number(rest[8]),
      isCapital: rest[1] === 'PPLC',
    }))
    .toSorted((a, b) => b.population - a.population);
}

const populationMin = 100_000;
/** Names in other scripts than Latin are those of the largest cities. */
const scriptsPopulationMin = 1_000_000;

/** By country, and by the name of each large city: its other names. The largest cities come first. */
function collectCityNames(cities: readonly City[]): Record<string, Record<string, string[]>> {
  const ownNames = new Set(cities.map(({ country, name }) => `${country} ${toNameKey(name)}`));
  const taken = new Set(ownNames);
  const byCountry: Record<string, Record<string, string[]>> = {};
  for (const { name, otherNames, country, population, isCapital } of cities) {
    if (population < populationMin && !isCapital) continue;
    const hasScripts = population >= scriptsPopulationMin || isCapital;
    const keys = otherNames
      .filter((other) => isName(other) && (hasScripts || !/[^\p{Script=Latin}\P{L}]/u.test(other)))
      .map(toNameKey)
      .filter((key) => key !== '' && !taken.has(`${country} ${key}`))
      .filter((key) => !isPart(key, country));
    for (const key of keys) taken.add(`${country} ${key}`);
    const ofCountry = byCountry[country] ?? {};
    ofCountry[toNameKey(name)] ??= [...new Set(keys)];
    byCountry[country] = ofCountry;
  }
  return byCountry;
}

/** GeoNames calls some cities like their states: Navi Mumbai is Maharashtra. New York is a city, too. */
function isPart(name: string, country: string): boolean {
  const isIn = listParts(name).some((region) => region.country === country);
  return isIn && listRegions(name).length === 0;
}

const positionsPopulationMin = 20_000;

/** By country: GeoNames’ codes of the states that a search knows, where they are not those of addresses. */
const regionsByDivision: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {},
  GB: { ENG: 'England', NIR: 'Northern Ireland', SCT: 'Scotland', WLS: 'Wales' },
  CA: {
    '01': 'AB',
    '02': 'BC',
    '03': 'MB',
    '04': 'NB',
    '05': 'NL',
    '07': 'NS',
    '08': 'ON',
    '09': 'PE',
    '10': 'QC',
    '11': 'SK',
    '12': 'YT',
    '13': 'NT',
    '14': 'NU',
  },
  AU: {
    '01': 'ACT',
    '02': 'NSW',
    '03': 'NT',
    '04': 'QLD',
    '05': 'SA',
    '06': 'TAS',
    '07': 'VIC',
    '08': 'WA',
  },
};

/** By country, and by the key of each city: where it is, its thousands of people, and its state where one is known. */
function collectCityPositions(cities: readonly City[]): Record<string, Record<string, string>> {
  const byCountry: Record<string, Record<string, string>> = {};
  for (const { name, country, division, latitude, longitude, population, isCapital } of cities) {
    if (population < positionsPopulationMin && !isCapital) continue;
    const regions = regionsByDivision[country];
    const region = regions && (regions[division] ?? division);
    const ofCountry = byCountry[country] ?? {};
    const thousands = Math.round(population / 1000);
    ofCountry[toCityKey(name, country)] ??= [
      latitude.toFixed(2),
      longitude.toFixed(2),
      thousands,
      ...(region === undefined ? [] : [region]),
    ].join(',');
    byCountry[country] = ofCountry;
  }
  return byCountry;
}

/** GeoNames has codes of airports, and transcriptions in lower case, besides names. */
function isName(text: string): boolean {
  const isLatin = /\p{Script=Latin}/u.test(text);
  return isLatin
    ? /^\P{Ll}/u.test(text) && /\p{Ll}/u.test(text) && text.length > 3
    : text.length > 1;
}

function write(file: string, value: object): void {
  const path = join(import.meta.dirname, '../../events/words', file);
  writeFileSync(path, `${JSON.stringify(value)}\n`);
}

if (import.meta.main) {
  write('country-names.json', collectCountryNames());
  const file = process.argv[2];
  if (file !== undefined) {
    const cities = parseCities(readFileSync(file, 'utf8'));
    write('city-names.json', collectCityNames(cities));
    write('city-positions.json', collectCityPositions(cities));
  }
}
