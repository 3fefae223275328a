import type { Position } from '../model/position.ts';
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

/**
 * From GeoNames (CC BY 4.0): by country, and by the key of each city: its latitude, longitude and thousands of people,
 * and where a search knows the states of the country, its state.
 */
type PositionsByCountry = Readonly<Record<string, Readonly<Record<string, string>>>>;

type City = Readonly<{ position: Position; thousands: number; region: string | null }>;

type PositionIndex = Readonly<{
  byCountry: PositionsByCountry;
  /** By key, of all cities that have it. */
  largest: ReadonlyMap<string, string>;
}>;

// Built at first use, in a few milliseconds.
let positionIndex: PositionIndex | null = null;

function readPositions(): PositionIndex {
  positionIndex ??= indexPositions(readNamesFile('city-positions.json'));
  return positionIndex;
}

function indexPositions(byCountry: PositionsByCountry): PositionIndex {
  const largest = new Map<string, string>();
  for (const cities of Object.values(byCountry)) {
    for (const [key, text] of Object.entries(cities)) {
      const other = largest.get(key);
      const isLarger =
        other === undefined || parseCity(text).thousands > parseCity(other).thousands;
      if (isLarger) largest.set(key, text);
    }
  }
  return { byCountry, largest };
}

function parseCity(text: string): City {
  const [latitude, longitude, thousands, region = null] = text.split(',');
  const position = { latitude: Number(latitude), longitude: Number(longitude) };
  return { position, thousands: Number(thousands), region };
}

/** Where a city of a country is, and in which state; null if it is not listed. */
export function findCity(key: string, country: string): Pick<City, 'position' | 'region'> | null {
  const text = readPositions().byCountry[country]?.[key];
  return text === undefined ? null : parseCity(text);
}

/** Where the largest city is that a name may mean; null if none is listed. */
export function findLargestCity(name: string): Position | null {
  const { largest } = readPositions();
  const texts = listCityKeys(name).map((key) => largest.get(key));
  const [city] = texts
    .filter((text) => text !== undefined)
    .map(parseCity)
    .sort((a, b) => b.thousands - a.thousands);
  return city?.position ?? null;
}

/** Where the largest city of a country is, or of a state; null if none is listed. */
export function findLargestCityIn(country: string, region: string | null): Position | null {
  const cities = Object.values(readPositions().byCountry[country] ?? {}).map(parseCity);
  const [city] = cities
    .filter((found) => region === null || found.region === region)
    .sort((a, b) => b.thousands - a.thousands);
  return city?.position ?? null;
}
