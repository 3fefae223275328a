import type { Position } from '#lib/events/model/position.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { type CityMark, toCityMarks } from '#lib/events/view/city-marks.ts';
import { toContinentName } from '#lib/events/words/continents.ts';
import { parseCountry, toCountryName } from '#lib/events/words/countries.ts';

/** What a map shows: the world, a continent or a country. */
export type MapArea =
  | Readonly<{ kind: 'world' }>
  | Readonly<{ kind: 'continent'; id: Continent }>
  | Readonly<{ kind: 'country'; code: string }>;

/** South, west, north and east in degrees; east of the antimeridian if east is less than west. */
type Box = readonly [south: number, west: number, north: number, east: number];

const continentBoxes = {
  europe: [35, -12, 70, 41],
  africa: [-35, -18, 37, 51],
  asia: [-10, 28, 55, 146],
  'north-america': [8, -140, 66, -55],
  'south-america': [-55, -82, 13, -34],
  oceania: [-47, 112, 20, -172],
} as const satisfies Record<string, Box>;

export type Continent = keyof typeof continentBoxes;
export const continents = Object.keys(continentBoxes) as readonly Continent[];

const continentNames: Readonly<Record<Continent, string>> = {
  europe: 'Europe',
  africa: 'Africa',
  asia: 'Asia',
  'north-america': 'North America',
  'south-america': 'South America',
  oceania: 'Oceania',
};

/** Reads `europe`, `BE` or `Belgium`; an empty text is the world, null is no area. */
export function parseArea(text: string): MapArea | null {
  if (text.trim() === '') return { kind: 'world' };
  const plain = text.trim().toLowerCase();
  const continent = continents.find((one) => one === plain.replaceAll(' ', '-'));
  if (continent !== undefined) return { kind: 'continent', id: continent };
  const code = parseCountry(text);
  return code === null ? null : { kind: 'country', code };
}

/** The path and the query of an area’s map. */
export function toMapPath(area: MapArea, extension: '' | '.md' = ''): string {
  const id = area.kind === 'country' ? area.code : area.kind === 'continent' ? area.id : '';
  return id === '' ? `/map${extension}` : `/map${extension}?area=${id}`;
}

export function toAreaName(area: MapArea): string {
  if (area.kind === 'world') return 'the world';
  return area.kind === 'continent' ? continentNames[area.id] : toCountryName(area.code);
}

export function boxOf(continent: Continent): Box {
  return continentBoxes[continent];
}

/** The cities of an area: those with the most events first. */
export function selectCities(snapshot: EventsSnapshot, area: MapArea): CityMark[] {
  return toCityMarks(snapshot).filter(({ group, position }) =>
    isInArea(area, { country: group.country, position }),
  );
}

function isInArea(
  area: MapArea,
  { country, position }: Readonly<{ country: string | null; position: Position | null }>,
): boolean {
  if (area.kind === 'world') return true;
  if (area.kind === 'country') return country === area.code;
  // The rectangle of a continent has parts of others in it.
  const name = country === null ? undefined : toContinentName(country);
  if (name !== undefined) return name === continentNames[area.id];
  if (position === null) return false;
  const [south, west, north, east] = continentBoxes[area.id];
  const { latitude, longitude } = position;
  const isBetween =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && isBetween;
}
