import type { Position } from '#lib/events/model/position.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { type CityMark, toCityMarks } from '#lib/events/view/city-marks.ts';
import { toCountryName } from '#lib/events/words/countries.ts';
import { parseCountry } from '#lib/events/words/parse-country.ts';

/** What a map shows: the part of the world where most events are, the world, a continent or a country. */
export type MapArea =
  | Readonly<{ kind: 'start' }>
  | Readonly<{ kind: 'world' }>
  | Readonly<{ kind: 'continent'; id: Continent }>
  | Readonly<{ kind: 'country'; code: string }>;

/** Reads `europe`, `BE` or `Belgium`; null is no area. */
export function parseArea(text: string): MapArea | null {
  const plain = text.trim().toLowerCase();
  if (plain === '') return { kind: 'start' };
  if (plain === 'world') return { kind: 'world' };
  const continent = continents.find((continent) => continent === plain.replaceAll(' ', '-'));
  if (continent !== undefined) return { kind: 'continent', id: continent };
  const code = parseCountry(text);
  return code === null ? null : { kind: 'country', code };
}

/** A map of an area: with cities whose events are all over, if it has past ones. */
export type MapView = Readonly<{ area: MapArea; hasPast: boolean }>;

/** Reads the query of a map; the area is null if there is no such area. */
export function parseMapView(params: URLSearchParams) {
  return { area: parseArea(params.get('area') ?? ''), hasPast: params.get('past') === 'true' };
}

/** The path and the query of a map. */
export function toMapPath({ area, hasPast }: MapView, extension: '' | '.md' = ''): string {
  const search = new URLSearchParams();
  if (area.kind !== 'start') search.set('area', toAreaId(area));
  if (hasPast) search.set('past', 'true');
  return `/map${extension}${search.size === 0 ? '' : `?${search}`}`;
}

function toAreaId(area: Exclude<MapArea, { kind: 'start' }>): string {
  if (area.kind === 'world') return area.kind;
  return area.kind === 'continent' ? area.id : area.code;
}

export function toAreaName(area: MapArea): string {
  if (area.kind === 'start' || area.kind === 'world') return 'the world';
  return area.kind === 'continent' ? continentNames[area.id] : toCountryName(area.code);
}

/** The cities of an area: those with the most events ahead first. */
export function selectCities(snapshot: EventsSnapshot, { area, hasPast }: MapView): CityMark[] {
  return toCityMarks(snapshot).filter(({ group: { country }, position, ahead }) => {
    if (ahead.length === 0 && !hasPast) return false;
    if (area.kind === 'start' || area.kind === 'world') return true;
    if (area.kind === 'country') return country === area.code;
    return isOnContinent(area.id, { country, position });
  });
}

/** Where most events ahead are: the positions of the cities on one continent; none unless it has half of them. */
export function findBusiestPositions(cities: readonly CityMark[]): Position[] {
  const onContinents = continents.map((id) =>
    cities.filter(({ group: { country }, position }) => isOnContinent(id, { country, position })),
  );
  const busiest = onContinents.toSorted((a, b) => countAhead(b) - countAhead(a))[0] ?? [];
  const isHalf = 2 * countAhead(busiest) >= countAhead(cities);
  return isHalf ? busiest.flatMap(({ position }) => position ?? []) : [];
}

function countAhead(cities: readonly CityMark[]): number {
  return cities.reduce((sum, { ahead }) => sum + ahead.length, 0);
}

/** South, west, north and east in degrees; east of the antimeridian if east is less than west. */
type Box = readonly [south: number, west: number, north: number, east: number];

const boxes = {
  europe: [35, -12, 70, 41],
  africa: [-35, -18, 37, 51],
  asia: [-10, 28, 55, 146],
  'north-america': [8, -140, 66, -55],
  'south-america': [-55, -82, 13, -34],
  oceania: [-47, 112, 20, -172],
} as const satisfies Record<string, Box>;

export type Continent = keyof typeof boxes;
export const continents = Object.keys(boxes) as readonly Continent[];

const continentNames: Readonly<Record<Continent, string>> = {
  europe: 'Europe',
  africa: 'Africa',
  asia: 'Asia',
  'north-america': 'North America',
  'south-america': 'South America',
  oceania: 'Oceania',
};

/** By ISO code, each on the continent to which people in it mostly count themselves. */
const countries: Readonly<Record<Continent, string>> = {
  europe:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME ' +
    'MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ ' +
    'NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  asia:
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH ' +
    'PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  'north-america':
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC ' +
    'TT US VC VG VI',
  'south-america': 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  oceania: 'AS AU CC CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
};

const continentOf = new Map(
  continents.flatMap((id) => countries[id].split(' ').map((code) => [code, id] as const)),
);

/** The frame of a continent’s map. */
export function boxOf(continent: Continent): Box {
  return boxes[continent];
}

type Place = Readonly<{ country: string | null; position: Position | null }>;

/** Whether a place is on a continent: that of its country, or where the country is unknown, in its frame. */
function isOnContinent(continent: Continent, { country, position }: Place): boolean {
  if (country === 'RU' && position !== null && isBeyondUrals(position)) return continent === 'asia';
  const home = country === null ? undefined : continentOf.get(country);
  if (home !== undefined) return continent === home;
  return position !== null && isInBox(position, continent);
}

/** The far east of Russia lies across the antimeridian. */
function isBeyondUrals({ longitude }: Position): boolean {
  return longitude > 60 || longitude < 0;
}

function isInBox({ latitude, longitude }: Position, continent: Continent): boolean {
  const [south, west, north, east] = boxes[continent];
  const isBetween =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && isBetween;
}
