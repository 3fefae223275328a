import type { Column } from '../../model/field-lists.ts';
import type { EventOrganizer, EventPlace } from '../../model/time-and-place.ts';
import { toLinkName } from '../../words/clean-text.ts';
import { parseCountry } from '../../words/parse-country.ts';
import { parsePlaceless } from '../../words/placeless.ts';
import { listParts, type Region } from '../../words/regions.ts';
import type { Cells } from './cells/cells.ts';
import { type CityCell, parseCity } from './cells/city-cell.ts';
import { parseZoneCell, toPlaceZone } from './time-zone-cell.ts';

/** The columns that say where an event is. */
const placeColumns = ['Location', 'Address', 'City', 'Region', 'Country'] as const;

/** Where an event takes place; null if only the name of the place is known. */
export function toPlace(cells: Cells, cityOfEvent: CityOfEvent): EventPlace | null {
  const { city, region, country, latitude, longitude, street } = cityOfEvent;
  const address = toAddress(cells) ?? street;
  if ([address, city, region, country, latitude].every((value) => value === null)) return null;
  return { name: toLocation(cells), address, city, region, country, latitude, longitude };
}

function toAddress(cells: Cells): string | null {
  const text = cells.line('Address');
  return text === null || parsePlaceless(text) !== null ? null : text;
}

/** The name of the place, or the words that say that an event is online; none of a place that is not known yet. */
export function toLocation(cells: Cells): string | null {
  const text = cells.line('Location');
  return text === null || parsePlaceless(text) === 'unknown' ? null : text;
}

/** What the cells of an event without a place say of it, if they say that it is online. */
export function toOnlineWords(cells: Cells, { isOnline }: CityOfEvent): string | null {
  if (isOnline) {
    const text = cells.line('City');
    return text !== null && parsePlaceless(text) === 'online' ? text : 'Online';
  }
  const texts = placeColumns.flatMap((column) => [cells.raw(column)].flat());
  const isWords = (text: unknown) => typeof text === 'string' && parsePlaceless(text) === 'online';
  const words = texts.find(isWords);
  return typeof words === 'string' ? words.trim() : null;
}

export type CityOfEvent = CityCell &
  Readonly<{ latitude: number | null; longitude: number | null }>;

/** The city with its region and country, of their own cells or behind its name. */
export function readCity(cells: Cells): CityOfEvent {
  const known = readArea(cells);
  const [latitude, longitude] = toCoordinates(cells);
  const text = withoutSymbols(cells.single('City')?.normalize('NFC') ?? null);
  const nowhere = { city: null, ...known, latitude, longitude, isOnline: false, street: null };
  if (text === null) return nowhere;
  if (parsePlaceless(text) !== null || !/\p{L}/u.test(text)) {
    cells.repaired('City', 'not_a_city', text);
    return nowhere;
  }
  const zone = toPlaceZone({ ...nowhere, country: null }) ?? toOwnZone(cells);
  const parsed = parseCity(text, { ...known, zone });
  const { city, country, region, isOnline } = parsed;
  // `Online, USA`.
  const isArea = !isOnline && (country !== known.country || region !== known.region);
  const isRead = city === null ? isArea : parsePlaceless(city) === null && /\p{L}/u.test(city);
  if (!isRead) {
    cells.repaired('City', 'not_a_city', text);
    return { ...nowhere, isOnline };
  }
  if (city !== text) cells.repaired('City', 'city_divided', text);
  return { ...parsed, latitude, longitude };
}

/** `🇳🇱 Amsterdam, Netherlands`, but a flag alone is a country. */
function withoutSymbols(text: string | null): string | null {
  const symbols = /(?:[\u{1f1e6}-\u{1f1ff}]{2}|\p{Extended_Pictographic}\ufe0f?)\s*(?=.*\p{L})/gu;
  return text?.replace(symbols, '').trim() ?? null;
}

function toOwnZone(cells: Cells): string | null {
  const text = cells.raw('Time Zone');
  return typeof text === 'string' ? parseZoneCell(text, null) : null;
}

type Area = Pick<CityCell, 'country' | 'region'>;

/** The country and the region of their own cells: `US-CA` and `Scotland` name both. */
function readArea(cells: Cells): Area {
  const country = cells.single('Country');
  const region = cells.single('Region');
  // ISO 3166-2: `DE-BY`.
  const name = country?.replace(/^([A-Z]{2})-[A-Z\d]{1,3}$/, '$1') ?? '';
  const code = parseCountry(name) ?? toOnly(listParts(name))?.country;
  if (country !== null && code == null && parsePlaceless(country) === null) {
    cells.repaired('Country', 'unknown_country', country);
  }
  const isWithin = (one: Region) => code == null || one.country === code;
  const found = toOnly(listParts(region ?? country ?? '').filter(isWithin));
  if (found !== null) return { country: found.country, region: found.code };
  const isPlace = region !== null && parsePlaceless(region) === null;
  return { country: code ?? null, region: isPlace ? region : null };
}

function toOnly<Item>([first, ...others]: readonly Item[]): Item | null {
  return first === undefined || others.length > 0 ? null : first;
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
