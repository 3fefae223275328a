import type { Position } from '../model/position.ts';
import { listCityKeys } from './cities.ts';
import { readNamesFile } from './read-names.ts';

/**
 * From GeoNames (CC BY 4.0): by country, and by the key of each city: its latitude, longitude and thousands of people,
 * and where a search knows the states of the country, its state.
 */
type PositionsByCountry = Readonly<Record<string, Readonly<Record<string, string>>>>;

// Read at first use, in a few milliseconds.
let positionsByCountry: PositionsByCountry | null = null;

function readCity(country: string, key: string) {
  positionsByCountry ??= readNamesFile<PositionsByCountry>('city-positions.json');
  const text = positionsByCountry[country]?.[key];
  if (text === undefined) return null;
  const [latitude, longitude, thousands, region = null] = text.split(',');
  return {
    position: { latitude: Number(latitude), longitude: Number(longitude) },
    thousands: Number(thousands),
    region,
  };
}

/** Where a city of a country is, and in which state; null if it is not listed. */
export function findCity(
  key: string,
  country: string,
): Readonly<{ position: Position; region: string | null }> | null {
  return readCity(country, key);
}

/** Where the largest city is that a name may mean; null if none is listed. */
export function findLargestCity(name: string): Position | null {
  positionsByCountry ??= readNamesFile<PositionsByCountry>('city-positions.json');
  const [largest] = Object.keys(positionsByCountry)
    .flatMap((country) => listCityKeys(name).map((key) => readCity(country, key)))
    .filter((city) => city !== null)
    .sort((a, b) => b.thousands - a.thousands);
  return largest?.position ?? null;
}
