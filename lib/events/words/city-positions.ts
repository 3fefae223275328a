import type { Position } from '../model/position.ts';
import { listCityKeys } from './cities.ts';
import { readNamesFile } from './read-names.ts';

/**
 * From GeoNames (CC BY 4.0): by country, and by the key of each city: its latitude, longitude and thousands of people,
 * and where a search knows the states of the country, its state.
 */
type PositionsByCountry = Readonly<Record<string, Readonly<Record<string, string>>>>;

type City = Readonly<{ position: Position; thousands: number; region: string | null }>;

type CityIndex = Readonly<{
  byCountry: PositionsByCountry;
  /** By key, of all cities that have it. */
  largest: ReadonlyMap<string, string>;
}>;

// Built at first use, in a few milliseconds.
let cityIndex: CityIndex | null = null;

function readIndex(): CityIndex {
  cityIndex ??= indexCities(readNamesFile('city-positions.json'));
  return cityIndex;
}

function indexCities(byCountry: PositionsByCountry): CityIndex {
  const largest = new Map<string, string>();
  for (const cities of Object.values(byCountry)) {
    for (const [key, text] of Object.entries(cities)) {
      const other = largest.get(key);
      const isLarger = other === undefined || parse(text).thousands > parse(other).thousands;
      if (isLarger) largest.set(key, text);
    }
  }
  return { byCountry, largest };
}

function parse(text: string): City {
  const [latitude, longitude, thousands, region = null] = text.split(',');
  const position = { latitude: Number(latitude), longitude: Number(longitude) };
  return { position, thousands: Number(thousands), region };
}

/** Where a city of a country is, and in which state; null if it is not listed. */
export function findCity(key: string, country: string): Pick<City, 'position' | 'region'> | null {
  const text = readIndex().byCountry[country]?.[key];
  return text === undefined ? null : parse(text);
}

/** Where the largest city is that a name may mean; null if none is listed. */
export function findLargestCity(name: string): Position | null {
  const { largest } = readIndex();
  const texts = listCityKeys(name).map((key) => largest.get(key));
  const [city] = texts
    .filter((text) => text !== undefined)
    .map(parse)
    .sort((a, b) => b.thousands - a.thousands);
  return city?.position ?? null;
}

/** Where the largest city of a country is, or of a state; null if none is listed. */
export function findLargestCityIn(country: string, region: string | null): Position | null {
  const cities = Object.values(readIndex().byCountry[country] ?? {}).map(parse);
  const [city] = cities
    .filter((found) => region === null || found.region === region)
    .sort((a, b) => b.thousands - a.thousands);
  return city?.position ?? null;
}
