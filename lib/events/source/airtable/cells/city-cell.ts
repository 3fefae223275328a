import { findCity, isLargeCity, listCityCountries, listCityKeys } from '../../../words/cities.ts';
import { foldText, toNameKey } from '../../../words/fold-text.ts';
import { splitOnline } from '../../../words/format-words.ts';
import { parseCountry, parseCountryName } from '../../../words/parse-country.ts';
import { isLocalCode, listParts } from '../../../words/regions.ts';
import { findWorldPart, isTerritoryOf } from '../../../words/territories.ts';
import { hasZone } from '../time-zone-cell.ts';

/** What a City cell says. */
export type CityCell = Readonly<{
  /** Null if it names a country or a state alone. */
  city: string | null;
  /** As in an address: `NY`. */
  region: string | null;
  /** ISO 3166-1. */
  country: string | null;
  /** Whether the event is online, too: `Brussels / Online`. */
  isOnline: boolean;
  /** What stands before the city: `Lampenstr. 7, 04109 Leipzig`. */
  street: string | null;
}>;

type PlaceOfCell = Pick<CityCell, 'city' | 'region' | 'country'>;

/**
 * Parses `New York, NY`, `Berlin, Germany`, `Chennai, TN, India`, `São Paulo - SP`, `Brussels / Online` and
 * `1000 Brussels`: of the parts behind a city, the last one that is certain decides.
 * @param known what other cells say
 */
export function parseCity(text: string, known: Known): CityCell {
  const { rest, isOnline } = splitOnline(text);
  const all = splitParts(withBrazil(withoutPostcode(rest), known), known);
  const parts = withoutStreet(all);
  const street = all.slice(0, all.length - parts.length).join(', ');
  const name = street === '' ? rest : parts.join(', ');
  return { ...readParts(parts, name, known), isOnline, street: street || null };
}

/** @param name of the city, where the parts are not understood */
function readParts(
  [city, ...parts]: readonly string[],
  name: string,
  { zone, ...known }: Known,
): PlaceOfCell {
  if (city === undefined) return { city: null, ...known };
  const others = parts.filter((part) => !isSameCity(part, city));
  const last = others.at(-1);
  if (last === undefined) return toWholeArea(city, known);
  // Behind the name of a building.
  const names = [city, ...others.slice(0, -1)];
  const large = names.find((one) => listCityCountries(one).length > 0) ?? city;
  const area = findArea(last, { city: large, zone }, known);
  // What is not understood is part of the name, unless the rest is a city: `Marriott Marquis, San Francisco`.
  if (area === null) {
    const isCity = isVenue(city, last) && listCityCountries(last).length > 0;
    return { city: isCity ? last : name, ...known };
  }
  const whole = { ...area, region: area.region ?? known.region };
  // `Belgium, Netherlands` are two.
  if (whole.region === null && isOtherCountry(city, area)) return { city: null, ...known };
  return readMiddle(city, others.slice(0, -1), whole);
}

function splitParts(text: string, known: Area): readonly string[] {
  const [first = '', ...parts] = text
    .split(/\s*[,，、]\s*/)
    .filter((part) => part !== '' && !isPostcode(part))
    .map(withoutPostcode);
  const places = parts
    .flatMap((part) => splitWords(part) ?? splitCode(part))
    .filter((part) => !isContinent(part));
  return withoutSovereign([...(splitWords(first) ?? splitSigns(first, known)), ...places]);
}

/** `Lampenstr. 7, 04109 Leipzig` and `Library, Room 12, Ghent` from the city on. */
function withoutStreet(parts: readonly string[]): readonly string[] {
  const isStreet = (part: string, index: number) =>
    /\p{L}.*\s\d[\d/]*\p{L}?$|^\d+\s\p{L}/u.test(part) &&
    listCityCountries(part.replace(/\s\d+$/, '')).length === 0 &&
    listAreas(parts[index + 1] ?? '').length === 0;
  return parts.slice(parts.slice(0, -1).findLastIndex(isStreet) + 1);
}

/** `Hong Kong, China` and `San Juan, Puerto Rico, USA` without the country at the end; `Japan, Tokyo` in its usual order. */
function withoutSovereign(parts: readonly string[]): readonly string[] {
  const [name = '', last = ''] = parts.slice(-2);
  const [country, sovereign] = [parseCountryName(name), parseCountry(last)];
  if (country !== null && sovereign !== null && isTerritoryOf(country, sovereign)) {
    return parts.slice(0, -1);
  }
  const isReversed = parts.length === 2 && isListed(last, { country, region: null });
  return isReversed && country !== null && listAreas(last).length === 0 ? [last, name] : parts;
}

/** `Austin TX`, `Washington DC USA`, `Paris France`; null if no such place is listed. */
function splitWords(text: string): string[] | null {
  for (const { index } of text.matchAll(/(?<=\p{Ll})\s+(?=\p{Lu})/gu)) {
    const city = text.slice(0, index);
    const parts = splitCode(text.slice(index).trim());
    const areas = parts.filter(isAreaName).map(listAreas);
    const isPlace = areas.every((some) => some.some((area) => isListed(city, area)));
    if (areas.length === parts.length && isPlace) return [city, ...parts];
  }
  return null;
}

/** `Lyon (France)` and `Cologne/Köln`, but not `Frankfurt (Oder)`. */
function splitSigns(text: string, { country }: Area): string[] {
  const [city = '', ...parts] = text
    .split(/\s*[/()]\s*|\s+[-–—|]\s+/)
    .filter((part) => part !== '');
  const isUncertain = country === null && listCityCountries(city).length === 0;
  const isKnown = (part: string) => {
    // `Caiolo (SO)` is near Sondrio, not in Somalia, and `Doksy (CZ)` not near Catanzaro.
    if (isUncertain && isLocalCode(part, 'IT') && text.endsWith(`(${part})`)) return false;
    return /^[A-Z]{2,4}$/.test(part) || listAreas(part).length > 0 || isSameCity(part, city);
  };
  return parts.every(isKnown) ? [city, ...parts] : [text];
}

/** `Boston, MA USA` and `Orlando, Florida USA`. */
function splitCode(part: string): string[] {
  for (const { index } of part.matchAll(/\s+/g)) {
    const [name, rest] = [part.slice(0, index), part.slice(index).trim()];
    const country = parseCountry(rest);
    const isCode = /^(?:[A-Z]{2}|[A-Z]\.[A-Z]\.)$/.test(name);
    const isIn = isCode || listParts(name).some((region) => region.country === country);
    if (country !== null && isIn) return [name, rest];
  }
  return [part];
}

/** `Campo Mourão - PR` and `Pelotas/RS`: Brazil writes its states so, whose codes are other countries’ and states’, too. */
function withBrazil(text: string, { country }: Area): string {
  const [, city = '', code = ''] = /^([^,]+?)(?:\s*\/\s*|\s+[-–]\s+)([A-Z]{2})$/.exec(text) ?? [];
  const isPossible = isLocalCode(code, 'BR') && (country ?? 'BR') === 'BR';
  const isElsewhere = listAreas(code).some((area) => isListed(city, area));
  return isPossible && (isOwnName(city, 'BR') || !isElsewhere) ? `${city}, ${code}, Brazil` : text;
}

/** No country: `Athens, Greece, Europe`. */
function isContinent(text: string): boolean {
  return findWorldPart(foldText(text)) !== null || /^(?:E\.?U\.?|European Union)$/i.test(text);
}

/** `Cologne/Köln`. */
function isSameCity(name: string, city: string): boolean {
  const keys = listCityKeys(city);
  // `New York, New York` names the state.
  return listAreas(name).length === 0 && listCityKeys(name).some((key) => keys.includes(key));
}

/** A text without parts: `Singapore` is a city and its country, `Romania` a country, and `Texas` a state. */
function toWholeArea(name: string, known: Area): PlaceOfCell {
  if (isContinent(name)) return { city: null, ...known };
  const areas =
    known.region === null && isAreaName(name) ? listAreas(name).filter(isWithin(known)) : [];
  const [first, ...others] = areas;
  // `Washington` is a city, too.
  if (
    first === undefined ||
    (first.region !== null && isListed(name, { ...first, region: null }))
  ) {
    return { city: withoutDistrict(name, known), ...known };
  }
  // `Georgia`.
  if (others.length > 0) return { city: null, ...known };
  return { city: isOwnName(name, first.country) ? name : null, ...first };
}

/** Whether a city of the country is called so itself: Mexico City is not, in Mexico. */
function isOwnName(name: string, country: string | null): boolean {
  return findCity(toNameKey(name), country ?? '') !== null;
}

/** `Granada` is no country here, though Grenada is called so in Spanish. */
function isAreaName(name: string): boolean {
  if (name.length <= 3) return name === name.toUpperCase();
  const isOtherCity = listCityCountries(name).length > 0 && !isOwnName(name, parseCountry(name));
  return parseCountryName(name) !== null || !isOtherCity;
}

function isOtherCountry(name: string, area: Area): boolean {
  const country = parseCountryName(name);
  return country !== null && country !== area.country && !isListed(name, area);
}

/** What stands between a city and its country: a region, or a city behind one of its districts. */
function readMiddle(city: string, parts: readonly string[], area: Area): PlaceOfCell {
  const country = area.country ?? '';
  const inCountry = { country, region: null };
  // `Texas, USA`.
  let place = area.region === null ? toWholeArea(city, area) : { city, ...area };
  for (const part of parts.toReversed()) {
    const region = listParts(part).find((one) => one.country === country)?.code;
    const code = /^[A-Z]{2,3}$/.test(part) && parseCountry(part) !== country ? part : null;
    if (place.region === null && (region ?? code) !== null)
      place = { ...place, region: region ?? code };
    else if (isListed(part, inCountry) ? !isListed(city, inCountry) : isVenue(city, part))
      place = { ...place, city: part };
  }
  return { ...place, city: place.city && withoutDistrict(place.city, area) };
}

/** Not in a city, but before one: `Hyatt Hotel, Shatin, Hong Kong`. */
const venue =
  /\b(?:hotel|universit(?:y|é|à|ät)|universidade?|cent(?:er|re|ro)|hall|resort|school|institute?|campus|theatre|theater|museum|library|stadium|auditorium|forum|expo|messe|radisson|hilton|hyatt|marriott|sheraton)\b/iu;

function isVenue(name: string, next: string): boolean {
  return venue.test(name) && /\p{Ll}/u.test(next);
}

/** Of the United Kingdom and Canada. */
const letterPostcode = '(?:[A-Z]{1,2}\\d[A-Z\\d]?\\s?\\d[A-Z]{2}|[A-Z]\\d[A-Z]\\s?\\d[A-Z]\\d)';

/** `1000 Brussels`, `D-10115 Berlin`, `London WC1E 7HX`, `Nedlands 6009`, `NY 10001`. */
function withoutPostcode(text: string): string {
  return text
    .replace(/^(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{3} \d{2})\s+(?=\p{L})/u, '')
    .replace(new RegExp(`\\s+${letterPostcode}(?=\\s*(?:,|$))`, 'i'), '')
    .replace(/(?<=\p{L})\s+\d{4,6}(?=\s*(?:,|$))/u, '')
    .replace(/(?<=\b[A-Z]{2})\s+\d{5}(?:-\d{4})?(?=\s*(?:,|$))/, '');
}

function isPostcode(text: string): boolean {
  return (
    /^(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?$/.test(text) ||
    new RegExp(`^${letterPostcode}$`, 'i').test(text)
  );
}

/** `Dublin 2`. */
function withoutDistrict(city: string, { country }: Area): string {
  const name = city.replace(/(?<=\p{L})\s+\d{1,2}$/u, '');
  const isCity = country === null ? listCityCountries(name).length > 0 : isLargeCity(name, country);
  return isCity ? name : city;
}

type Area = Readonly<{ country: string | null; region: string | null }>;

/** The time zone is that of the coordinates, or of its own cell. */
type Known = Area & Readonly<{ zone: string | null }>;

type Named = Readonly<{ city: string; zone: string | null }>;

/** What the text behind a city says, together with what is known; null if it says nothing else than a name. */
function findArea(text: string, { city, zone }: Named, known: Area): Area | null {
  const all = listAreas(text);
  const areas = all.filter(isWithin(known));
  const [first = null, ...others] = areas;
  if (first === null) return findOtherArea(text, city, { known, all });
  const large = areas.filter((area) => isLargeCity(city, area.country ?? ''));
  const listed = areas.filter((area) => isListed(city, area));
  const countries = listCityCountries(city);
  const isElsewhere = text.length <= 3 && listed.length === 0 && countries.length > 0;
  const own = isElsewhere ? toOnlyArea(text, countries.filter(hasCodes)) : null;
  // Small towns of the United States are called like large cities of other countries.
  if (others.length === 0) return isElsewhere && first.region === null ? own : first;
  // `Weiden, DE` is not in Delaware, and `San Francisco, CA` not in Canada.
  const inZone = zone === null ? [] : areas.filter(({ country }) => hasZone(country, zone));
  const inCountry = areas.filter(({ country }) => isListed(city, { country, region: null }));
  const [found] = [inZone, large, listed, inCountry].find(({ length }) => length === 1) ?? [];
  return found ?? own;
}

type Others = Readonly<{ known: Area; all: readonly Area[] }>;

/** What contradicts the known country, or is no area: the code of a state that is not listed, or a district. */
function findOtherArea(text: string, city: string, { known, all }: Others): Area | null {
  const isCode = /^[A-Z]{2,4}$/.test(text);
  if (known.country === null) return isCode ? toOnlyArea(text, listCityCountries(city)) : null;
  // `Paris, TX` is not in France.
  if (all.some((area) => isListed(city, area)) || !isLargeCity(city, known.country)) return null;
  return isCode ? { ...known, region: known.region ?? text } : known;
}

/** Countries whose states people write as codes: `Vienna, VA` is not in Austria. */
function hasCodes(country: string): boolean {
  return codedCountries.has(country);
}

const codedCountries: ReadonlySet<string> = new Set(
  'AR AU BR CA CH CL CO DE ES IN IT MX MY NG NL PE US VE ZA'.split(' '),
);

/** `Florianópolis, SC` is neither in the Seychelles nor in South Carolina. */
function toOnlyArea(code: string, [country, ...others]: readonly string[]): Area | null {
  return country === undefined || others.length > 0 ? null : { country, region: code };
}

/** The countries and states that a text names. */
function listAreas(text: string): Area[] {
  const country = parseCountry(text);
  const regions = listParts(text);
  // `Scotland` names the country, too.
  const isCountry = country !== null && regions.every((region) => region.country !== country);
  return [
    ...(isCountry ? [{ country, region: null }] : []),
    ...regions.map(({ country, code }) => ({ country, region: code })),
  ];
}

function isWithin(known: Area) {
  return ({ country }: Area) => known.country === null || country === known.country;
}

function isListed(city: string, { country, region }: Area): boolean {
  const found = listCityKeys(city).flatMap((key) => findCity(key, country ?? '') ?? []);
  return found.some((one) => region === null || one.region === region);
}
