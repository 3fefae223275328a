import { listCityKeys } from './cities.ts';
import { findCity } from './city-positions.ts';
import { toCountryName } from './countries.ts';
import { foldText } from './fold-text.ts';
import { parseCountry, parseCountryName, toCountryKey } from './parse-country.ts';
import { listRegions, type Region } from './regions.ts';
import { findWorldPart } from './world-parts.ts';

/** What a name covers: by country, its state, or null for the whole country. */
export type Territory = ReadonlyMap<string, string | null>;

/** A country, a state, or a part of the world, with how it is called. */
export type NamedTerritory = Readonly<{
  kind: 'country' | 'region' | 'worldPart';
  label: string;
  territory: Territory;
}>;

/** The place of an event: ISO 3166-1, and the state as in an address. */
type CountryAndRegion = Readonly<{ country: string | null; region: string | null }>;

export function isInTerritory(
  territory: Territory,
  { country, region }: CountryAndRegion,
): boolean {
  if (country === null) return false;
  const wanted = territory.get(country);
  return wanted === null || (wanted !== undefined && wanted === region);
}

/** What a code of a state may be taken for: one with a vowel is a word, `in`, `or`, `me`. */
const wordLike = /[aeiou]/;
const codeLengthMax = 3;

/**
 * The territory of a folded name: a state, a part of the world, or a country by its English name.
 * @param city before the name, if there is one: with it, `portland or` is in Oregon.
 */
export function findTerritory(name: string, city: string | null = null): NamedTerritory | null {
  const country = parseCountryName(name);
  const code = toCountryKey(name);
  const isCode = code.length <= codeLengthMax;
  // `16+ in` is no code.
  const all = isCode && code !== name.replaceAll('.', '') ? [] : listRegions(name);
  const regions = all.filter((region) => !isCode || !wordLike.test(code) || isCityOf(region, city));
  if (regions.length > 0) {
    // `Georgia` is a country as well.
    const others = country === null ? [] : [[country, null] as const];
    const states = regions.map(({ country, code }) => [country, code] as const);
    return { kind: 'region', label: toTitle(name), territory: new Map([...others, ...states]) };
  }
  const part = findWorldPart(name);
  if (part !== null) {
    const countries = [...part.countries].map((code) => [code, null] as const);
    return { kind: 'worldPart', label: part.name, territory: new Map(countries) };
  }
  return country === null ? null : toCountry(country);
}

function isCityOf({ country, code }: Region, city: string | null): boolean {
  return city !== null && listCityKeys(city).some((key) => findCity(key, country)?.region === code);
}

/** The whole country of a code. */
export function toCountry(code: string): NamedTerritory {
  return { kind: 'country', label: toCountryName(code), territory: new Map([[code, null]]) };
}

/** What a filter by country may name: `PT`, `Portugal`, `Scotland`, `Texas`, `US-TX`, `Europe`. */
export function parseTerritory(text: string): NamedTerritory | null {
  const state = parseState(text.trim());
  if (state !== null) return state;
  const country = parseCountry(text);
  const named = findTerritory(foldText(text).trim());
  // `Scotland` is a part of the United Kingdom, but `Georgia` the country.
  const isPart = country !== null && typeof named?.territory.get(country) === 'string';
  return country === null || isPart ? named : toCountry(country);
}

/** `US-TX`, for names that mean something else, too. */
function parseState(text: string): NamedTerritory | null {
  const [state] = /^[A-Z]{2}-/i.test(text) ? listRegions(text) : [];
  if (state === undefined) return null;
  const { country, code } = state;
  return { kind: 'region', label: code, territory: new Map([[country, code]]) };
}

function toTitle(phrase: string): string {
  // Codes are in capitals.
  if (phrase.length <= 3) return phrase.toUpperCase();
  return phrase.replace(/(?:^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}
