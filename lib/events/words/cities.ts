import { toNameKey } from '../search/fold-text.ts';
import { readNamesFile } from './read-names.ts';

/** From GeoNames (CC BY 4.0): the largest cities by country and by their name in GeoNames: other spellings and names in other languages, as keys. */
type CitiesByCountry = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

type CityNames = ReadonlyMap<string, string>;

// Built at first use, in a few milliseconds.
let keysByCountry: ReadonlyMap<string, CityNames> | null = null;

/** By country: the key of the city that has a name. */
function readNames(): ReadonlyMap<string, CityNames> {
  keysByCountry ??= new Map(
    Object.entries(readNamesFile<CitiesByCountry>('city-names.json')).map(([country, cities]) => [
      country,
      new Map(
        Object.entries(cities).flatMap(([key, others]) =>
          [key, ...others].map((name) => [name, key]),
        ),
      ),
    ]),
  );
  return keysByCountry;
}

/**
 * The keys of the cities that a name may mean: `Munich` and `München` have the same. The first one is that of the name
 * as it is, for cities that are not listed.
 */
export function listCityKeys(name: string): string[] {
  const own = toNameKey(name);
  const keys = new Set([own]);
  for (const names of readNames().values()) {
    const key = names.get(own);
    if (key !== undefined) keys.add(key);
  }
  return [...keys];
}

/** The key of a city in a country; where that is not known, of the only city that the name may mean. */
export function toCityKey(name: string, country: string | null): string {
  const [own = '', ...others] = listCityKeys(name);
  if (country !== null) return readNames().get(country)?.get(own) ?? own;
  const isOwnName = [...readNames().values()].some((names) => names.get(own) === own);
  return isOwnName || others.length !== 1 ? own : (others[0] ?? own);
}

/** Whether a large city of the country has this name. */
export function isLargeCity(name: string, country: string): boolean {
  return readNames().get(country)?.has(toNameKey(name)) === true;
}
