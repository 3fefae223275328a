import { isLargeCity, listCityKeys } from '../../../words/cities.ts';
import { findCity } from '../../../words/city-positions.ts';
import { parseCountry } from '../../../words/parse-country.ts';
import { listRegions } from '../../../words/regions.ts';
import { hasZone } from '../time-zone-cell.ts';

/** What a City cell says. */
export type CityCell = Readonly<{
  city: string;
  /** As in an address: `NY`. */
  region: string | null;
  /** ISO 3166-1. */
  country: string | null;
  /** Whether the event is online, too: `Brussels / Online`. */
  isOnline: boolean;
}>;

/**
 * Parses `New York, NY`, `Berlin, Germany`, `Brussels / Online` and `1000 Brussels`.
 * @param known what other cells say
 */
export function parseCity(text: string, { zone, ...known }: Known): CityCell {
  const { rest, isOnline } = splitOnline(text);
  const [city = '', ...parts] = withoutPostcode(rest)
    .split(/\s*,\s*/)
    .filter((part) => part !== '' && !isPostcode(part));
  const area = parts
    .toReversed()
    .reduce<Area | null>((area, part) => area && findArea(part, { city, zone }, area), known);
  // What is not understood is part of the name.
  if (area === null) return { city: rest, ...known, isOnline };
  return { city: withoutDistrict(city, area), ...area, isOnline };
}

const online = '(?:online|virtual(?:ly)?|remote|hybrid|zoom|live ?stream(?:ed)?|stream)';
const joint = '(?:\\s*[/|+&,;(–—-]\\s*|\\s+(?:and|or|und|oder|et|ou|y|e)\\s+)';
const onlineBehind = new RegExp(`${joint}${online}(?:\\s+event)?\\)?$`, 'i');
const onlineBefore = new RegExp(`^${online}${joint}`, 'i');

function splitOnline(text: string): Readonly<{ rest: string; isOnline: boolean }> {
  const rest = text.replace(onlineBehind, '').replace(onlineBefore, '').trim();
  return rest === '' ? { rest: text, isOnline: false } : { rest, isOnline: rest !== text };
}

const ukPostcode = '[A-Z]{1,2}\\d[A-Z\\d]?\\s?\\d[A-Z]{2}';

/** `1000 Brussels`, `D-10115 Berlin`, `London WC1E 7HX`, `Nedlands 6009`, `NY 10001`. */
function withoutPostcode(text: string): string {
  return text
    .replace(/^(?:[A-Z]{1,2}-)?\d{4,6}\s+(?=\p{L})/u, '')
    .replace(new RegExp(`\\s+${ukPostcode}(?=\\s*(?:,|$))`, 'i'), '')
    .replace(/(?<=\p{L})\s+\d{4}(?=\s*(?:,|$))/u, '')
    .replace(/(?<=\b[A-Z]{2})\s+\d{5}(?:-\d{4})?(?=\s*(?:,|$))/, '');
}

/** `Dublin 2`. */
function withoutDistrict(city: string, { country }: Area): string {
  const name = city.replace(/(?<=\p{L})\s+\d{1,2}$/u, '');
  return isLargeCity(name, country ?? '') ? name : city;
}

function isPostcode(text: string): boolean {
  return (
    /^(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?$/.test(text) ||
    new RegExp(`^${ukPostcode}$`, 'i').test(text)
  );
}

type Area = Readonly<{ country: string | null; region: string | null }>;

/** The time zone is that of the coordinates, or of its own cell. */
type Known = Area & Readonly<{ zone: string | null }>;

type Named = Readonly<{ city: string; zone: string | null }>;

/** What the text behind a city says, together with what is known; null if it says nothing else than a name. */
function findArea(text: string, { city, zone }: Named, known: Area): Area | null {
  const country = parseCountry(text);
  const regions = listRegions(text);
  // `Scotland` names the country, too.
  const isCountry = country !== null && regions.every((region) => region.country !== country);
  const all: Area[] = [
    ...(isCountry ? [{ country, region: known.region }] : []),
    ...regions.map(({ country, code }) => ({ country, region: code })),
  ];
  // A district, or the city again.
  if (all.length === 0) return isLargeCity(city, known.country ?? '') ? known : null;
  const areas = all.filter((area) => known.country === null || area.country === known.country);
  const [first = null, ...others] = areas;
  if (others.length === 0) return first;
  // `Weiden, DE` is not in Delaware, and `San Francisco, CA` not in Canada.
  const inZone = zone === null ? [] : areas.filter(({ country }) => hasZone(country, zone));
  const large = areas.filter((area) => isLargeCity(city, area.country ?? ''));
  const listed = areas.filter((area) => isListed(city, area));
  const [found] = [inZone, large, listed].find(({ length }) => length === 1) ?? [];
  return found ?? null;
}

function isListed(city: string, { country, region }: Area): boolean {
  const found = listCityKeys(city).flatMap((key) => findCity(key, country ?? '') ?? []);
  return found.some((one) => region === null || one.region === region);
}
