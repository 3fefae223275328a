import { toNameKey } from './fold-text.ts';
import { readNamesFile } from './read-names.ts';

/** From GeoNames (CC BY 4.0): the largest cities by country and by their name in GeoNames: other spellings and names in other languages, as keys. */
type CitiesByCountry = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** By each name of a city: the keys of the cities that have it, by country. */
type CityIndex = ReadonlyMap<string, ReadonlyMap<string, string>>;

// Built at first use, in a few milliseconds.
let cityIndex: CityIndex | null = null;

function readIndex(): CityIndex {
  cityIndex ??= indexCities(readNamesFile('city-names.json'));
  return cityIndex;
}

function indexCities(citiesByCountry: CitiesByCountry): CityIndex {
  const index = new Map<string, Map<string, string>>();
  for (const [country, cities] of Object.entries(citiesByCountry)) {
    for (const [key, others] of Object.entries(cities)) {
      for (const name of [key, ...others]) {
        const keys = index.get(name) ?? new Map<string, string>();
        index.set(name, keys.set(country, key));
      }
    }
  }
  return index;
}

/**
 * The keys of the cities that a name may mean: `Munich` and `München` have the same. The first one is that of the name
 * as it is, for cities that are not listed.
 */
export function listCityKeys(name: string): string[] {
  const own = toNameKey(name);
  return [...new Set([own, ...(readIndex().get(own)?.values() ?? [])])];
}

/** The key of a city in a country; where that is not known, of the only city that the name may mean. */
export function toCityKey(name: string, country: string | null): string {
  const own = toNameKey(name);
  const keys = readIndex().get(own);
  if (country !== null) return keys?.get(country) ?? own;
  const [only = own, ...others] = new Set(keys?.values());
  return others.length > 0 ? own : only;
}

/** The countries that have a large city of this name. */
export function listCityCountries(name: string): string[] {
  return [...(readIndex().get(toNameKey(name))?.keys() ?? [])];
}

/** Whether a large city of the country has this name. */
export function isLargeCity(name: string, country: string): boolean {
  return readIndex().get(toNameKey(name))?.has(country) === true;
}
