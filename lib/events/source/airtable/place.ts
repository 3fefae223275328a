import type { Column } from '../../model/field-lists.ts';
import type { EventOrganizer, EventPlace } from '../../model/time-and-place.ts';
import { toLinkName } from '../../words/clean-text.ts';
import { foldText } from '../../words/fold-text.ts';
import { parseCountry } from '../../words/parse-country.ts';
import { listRegions } from '../../words/regions.ts';
import type { Cells } from './cells/cells.ts';
import { type CityCell, parseCity } from './cells/city-cell.ts';
import { parseZoneCell, toPlaceZone } from './time-zone-cell.ts';

/** Where an event takes place; null if only the name of the place is known. */
export function toPlace(cells: Cells, cityOfEvent: CityOfEvent): EventPlace | null {
  const { city, region, country, latitude, longitude } = cityOfEvent;
  const address = cells.line('Address');
  if ([address, city, region, country, latitude].every((value) => value === null)) return null;
  return { name: cells.line('Location'), address, city, region, country, latitude, longitude };
}

/** What stands in a City column without being one. */
const notCities = new Set([
  'online',
  'virtual',
  'remote',
  'hybrid',
  'internet',
  'zoom',
  'discord',
  'slack',
]);
const unknown = new Set(['tba', 'tbd', 'tbc', 'na', 'none', 'unknown', 'various', '']);

type CityOfEvent = Omit<CityCell, 'city'> &
  Readonly<{ city: string | null; latitude: number | null; longitude: number | null }>;

/** The city with its region and country, of their own cells or behind its name. */
export function readCity(cells: Cells): CityOfEvent {
  const country = toCountry(cells);
  const region = toRegion(cells, country);
  const [latitude, longitude] = toCoordinates(cells);
  const text = cells.single('City');
  const known = { country: region?.country ?? country, region: region?.code ?? null };
  const parsed =
    text === null
      ? null
      : parseCity(text.normalize('NFC'), {
          ...known,
          zone: toPlaceZone({ country: null, latitude, longitude }) ?? toOwnZone(cells),
        });
  if (parsed !== null && isCity(parsed.city)) {
    if (parsed.city !== text?.normalize('NFC')) cells.repaired('City', 'city_divided', text);
    return { ...parsed, latitude, longitude };
  }
  if (text !== null) cells.repaired('City', 'not_a_city', text);
  return { city: null, ...known, latitude, longitude, isOnline: false };
}

function toOwnZone(cells: Cells): string | null {
  const text = cells.raw('Time Zone');
  return typeof text === 'string' ? parseZoneCell(text, null) : null;
}

function isCity(text: string): boolean {
  const plain = foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}/u.test(plain) && !notCities.has(plain) && !unknown.has(plain);
}

function toCountry(cells: Cells): string | null {
  const text = cells.single('Country');
  if (text === null) return null;
  return parseCountry(text) ?? cells.repaired('Country', 'unknown_country', text);
}

/** A state that is known, or the text as it is; without one, the part of a country that its cell names: `Scotland`. */
function toRegion(cells: Cells, country: string | null) {
  const text = cells.single('Region');
  const [known = null, ...others] = listRegions(text ?? cells.single('Country') ?? '').filter(
    (region) => country === null || region.country === country,
  );
  if (text === null) return known;
  return known === null || others.length > 0 ? { country, code: text } : known;
}

/** What is no place: 0° N 0° E is what failed look-ups give, the other one, in Tuvalu, Meetup’s for online events. */
const nowheres = [
  [0, 0],
  [-8.521, 179.196],
] as const;

/** Both or none. */
function toCoordinates(cells: Cells): readonly [latitude: number | null, longitude: number | null] {
  const latitude = toDegrees(cells.raw('Latitude'), 90);
  const longitude = toDegrees(cells.raw('Longitude'), 180);
  if (latitude === null && longitude === null) return [null, null];
  const isComplete = typeof latitude === 'number' && typeof longitude === 'number';
  if (isComplete && !isNowhere(latitude, longitude)) return [latitude, longitude];
  const isAtFault = isComplete || typeof latitude !== 'number';
  const column: Column = isAtFault ? 'Latitude' : 'Longitude';
  cells.repaired(column, 'impossible_coordinates');
  return [null, null];
}

function isNowhere(latitude: number, longitude: number): boolean {
  return nowheres.some(
    ([north, east]) => Math.abs(latitude - north) < 0.001 && Math.abs(longitude - east) < 0.001,
  );
}

/** null: empty. undefined: not an angle. Six decimals are ten centimetres. */
function toDegrees(cell: unknown, max: number): number | null | undefined {
  // A lookup.
  const [value, ...others] = new Set([cell].flat());
  if (others.length > 0) return undefined;
  if (value == null) return null;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim().replace(/\s?°$/, '');
  if (text === '') return null;
  const isDecimal = typeof value === 'number' || /^[-+]?\d{1,3}(?:[.,]\d*)?$/.test(text);
  const degrees = isDecimal ? Number(text.replace(',', '.')) : Number.NaN;
  return Math.abs(degrees) <= max ? Number(degrees.toFixed(6)) : undefined;
}

/** Who runs an event; by its website if only that is known. */
export function toOrganizer(cells: Cells): EventOrganizer | null {
  const url = cells.contactUrl('Organizer URL');
  const name = cells.line('Organizer');
  if (name === null && url === null) return null;
  return { name: name ?? toLinkName(url ?? ''), url };
}
