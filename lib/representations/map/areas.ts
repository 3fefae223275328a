import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { type CityMark, toCityMarks } from '#lib/events/view/city-marks.ts';
import { parseCountry, toCountryName } from '#lib/events/words/countries.ts';
import { type Continent, continentNames, continents, isOnContinent } from './continents.ts';

/** What a map shows: the world, a continent or a country. */
export type MapArea =
  | Readonly<{ kind: 'world' }>
  | Readonly<{ kind: 'continent'; id: Continent }>
  | Readonly<{ kind: 'country'; code: string }>;

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

/** The cities of an area: those with the most events first. */
export function selectCities(snapshot: EventsSnapshot, area: MapArea): CityMark[] {
  return toCityMarks(snapshot).filter(({ group: { country }, position }) => {
    if (area.kind === 'world') return true;
    if (area.kind === 'country') return country === area.code;
    return isOnContinent(area.id, { country, position });
  });
}
