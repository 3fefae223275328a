import lookUpTimeZone from '@photostructure/tz-lookup';
import { LRUCache } from 'lru-cache';
import type { EventPlace } from '../../model/time-and-place.ts';
import {
  hasFixedClocks,
  haveSameClocks,
  parseTimeZone,
  standardOffset,
} from '../../model/zoned-time.ts';
import { findCity, toCityKey } from '../../words/cities.ts';
import { foldText } from '../../words/fold-text.ts';
import { parseCountry, parseCountryName } from '../../words/parse-country.ts';
import {
  renamedZones,
  usualNames,
  zonesByName,
  zonesByOffset,
  zonesOfWindows,
} from './zone-names.ts';

/** Longer cells name no zone. */
const lengthMax = 100;

/** What is known of where an event is. */
type Whereabouts = Pick<EventPlace, 'city' | 'region' | 'country' | 'latitude' | 'longitude'>;

/**
 * The IANA zone that a cell names: by its own name, an offset, an abbreviation, or a city or country with one zone.
 * @param place chooses among the meanings of an abbreviation.
 * @returns null if it cannot be read, or may mean several.
 */
export function parseZoneCell(text: string, place: Whereabouts | null): string | null {
  if (text.length > lengthMax) return null;
  const windowsZone = zonesOfWindows.get(foldText(text.trim()).replace(' daylight ', ' standard '));
  if (windowsZone !== undefined) return chooseZone(toName(text), [rename(windowsZone)], place);
  const plain = toPlainZone(text);
  const name = toName(plain);
  const meant = zonesByName.get(name);
  if (meant !== undefined) return chooseZone(name, meant, place);
  const offset = /^(?:(?:utc|gmt) ?)?([+-]) ?(\d{1,2})(?::?(\d\d))?$/i.exec(plain);
  if (offset !== null) return toOffsetZone(offset);
  // Names without a slash are ICU’s aliases, whose meanings are not people’s.
  const ownName = plain.includes('/') ? parseOwnName(plain.replace(/ ?\/ ?/g, '/')) : null;
  if (ownName !== null) return rename(ownName);
  const names = name.replace(/ standard$/, '').split(', ');
  // Outlook’s `(UTC+09:00) Osaka, Sapporo, Tokyo`, but `Chicago, IL`.
  const candidates = /^\((?:UTC|GMT)/i.test(text) ? names : names.slice(0, 1);
  return [name, ...candidates].map(findNamedZone).find((zone) => zone !== null) ?? null;
}

function rename(zone: string): string {
  return renamedZones[zone] ?? zone;
}

/** By a city or a country with one zone: `Berlin`, `Japan`. */
function findNamedZone(name: string): string | null {
  const country = name.length > 3 ? parseCountry(name) : parseCountryName(name);
  return cityZones().get(name) ?? toCountryZone(country);
}

/** `/mozilla.org/20050126_1/America/New_York`, `(UTC-05:00) Eastern Time` and `Asia/Tokyo (JST)` as the zone alone. */
function toPlainZone(text: string): string {
  const plain = text.normalize('NFKC').replaceAll('−', '-').trim();
  return plain
    .replace(/^\/(?:[^/]*[.\d][^/]*\/)+(?:Tzfile\/)?/, '')
    .replace(/^\((?:UTC|GMT)[^)]*\)\s*(?=\S)/i, '')
    .replace(/(?<=\S)\s*\([^()]*\)$/, '');
}

/** Looking a zone up took a third of the time of a row. */
const ownNames = new LRUCache<string, Readonly<{ zone: string | null }>>({ max: 1_000 });

function parseOwnName(name: string): string | null {
  const { zone } = ownNames.get(name) ?? { zone: parseTimeZone(name) };
  ownNames.set(name, { zone });
  return zone;
}

/** The zone of the clocks at a place; null if its country has several, and its position is not known. */
export function toPlaceZone(place: Whereabouts | null): string | null {
  if (place === null) return null;
  const { country, latitude, longitude } = place;
  if (latitude !== null && longitude !== null) return lookUpTimeZone(latitude, longitude);
  return toCountryZone(country) ?? toCityZone(place);
}

/** In a country with several zones, a city that is listed says which: `Chicago, IL`. */
function toCityZone({ city, region, country }: Whereabouts): string | null {
  if (city === null || country === null) return null;
  const found = findCity(toCityKey(city, country), country);
  if (found === null || (region !== null && found.region !== null && found.region !== region))
    return null;
  return lookUpTimeZone(found.position.latitude, found.position.longitude);
}

/** `Berlin time`, `E.S.T.` and `CET (Brussels)` without what says nothing. */
function toName(text: string): string {
  return foldText(text)
    .replace(/\(.*\)/, '')
    .replace(/(?<=\b\p{L})\./gu, '')
    .replace(/[_\s]+/g, ' ')
    .replace(/(?<=\p{L}) (?:local )?time *$/u, '')
    .trim();
}

// The place’s own zone is closer than the one that stands for the name, as Phoenix for MST.
function chooseZone(
  name: string,
  meant: readonly string[],
  place: Whereabouts | null,
): string | null {
  const atPlace = listPlaceZones(place);
  const ofCountry = meant.length > 1 ? listCountryZones(place?.country ?? null) : [];
  const [near] = [
    ...meant.filter((zone) => atPlace.includes(zone)),
    ...meant.filter((zone) => ofCountry.includes(zone)),
    // The usual meaning first: of Canada’s zones, `CDT` is not that of Iqaluit, whose clocks are Havana’s.
    ...meant.flatMap((one) => atPlace.find((zone) => haveSameClocks(one, zone)) ?? []),
  ];
  if (near !== undefined) return near;
  const [zone = null, ...others] = meant;
  if (zone === null || (others.length > 0 && !usualNames.has(name))) return null;
  const isSummer = /^(?:[ce]est|west|mesz)$|dt$|summer|daylight/.test(name);
  return (isSummer ? undefined : atPlace.find((one) => isOnStandardTimeOf(zone, one))) ?? zone;
}

function isOnStandardTimeOf(zone: string, other: string): boolean {
  return hasFixedClocks(other) && standardOffset(other) === standardOffset(zone);
}

function listPlaceZones(place: Whereabouts | null): readonly string[] {
  const zone = toPlaceZone(place);
  return zone === null ? listCountryZones(place?.country ?? null) : [zone];
}

function toCountryZone(country: string | null): string | null {
  const [zone, ...others] = listCountryZones(country);
  return zone !== undefined && others.every((other) => haveSameClocks(zone, other)) ? zone : null;
}

/** Whether the clocks of a zone are those of a place in the country. */
export function hasZone(country: string | null, zone: string): boolean {
  return listCountryZones(country).some((one) => one === zone || haveSameClocks(one, zone));
}

// Looking them up takes half a millisecond: two thirds of the time that a row took.
const zonesByCountry = new Map<string, readonly string[]>();

function listCountryZones(country: string | null): readonly string[] {
  if (country === null) return [];
  const known = zonesByCountry.get(country);
  if (known !== undefined) return known;
  const zones = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  const renamed = zones.map(rename);
  zonesByCountry.set(country, renamed);
  return renamed;
}

/** A fixed offset; POSIX’s sign in `Etc/GMT-2` is the other one. */
function toOffsetZone([, sign, hours = '', minutes = '00']: RegExpExecArray): string | null {
  const hour = Number(hours);
  if (minutes !== '00') {
    return zonesByOffset[`${sign}${hours.padStart(2, '0')}:${minutes}`] ?? null;
  }
  if (hour === 0) return 'UTC';
  return hour <= (sign === '+' ? 14 : 12) ? `Etc/GMT${sign === '+' ? '-' : '+'}${hour}` : null;
}

let zonesByCity: ReadonlyMap<string, string> | null = null;

/** By the city that a zone is named after, in lower case. */
function cityZones(): ReadonlyMap<string, string> {
  zonesByCity ??= new Map(
    Intl.supportedValuesOf('timeZone')
      .filter((zone) => !zone.startsWith('Etc/'))
      .flatMap((zone) => {
        const renamed = rename(zone);
        return [zone, renamed].map((name) => [toName(name.split('/').at(-1) ?? ''), renamed]);
      }),
  );
  return zonesByCity;
}
