import { findCity, listCityKeys } from './cities.ts';
import { toCountryName } from './countries.ts';
import { foldText } from './fold-text.ts';
import { parseCountry, parseCountryName, toCountryKey } from './parse-country.ts';
import { listRegions, type Region } from './regions.ts';

/** What a name covers: by country, its state, or null for the whole country. */
export type Territory = ReadonlyMap<string, string | null>;

/** A country, a state, or a part of the world, with how it is called. */
export type NamedTerritory = Readonly<{
  kind: 'country' | 'region' | 'worldPart';
  label: string;
  territory: Territory;
}>;

/** The place of an event: ISO 3166-1, and the state as in an address. */
type CountryAndRegion = Readonly<{ country: string | null; region: string | null }>;

export function isInTerritory(
  territory: Territory,
  { country, region }: CountryAndRegion,
): boolean {
  if (country === null) return false;
  const wanted = territory.get(country);
  return wanted === null || (wanted !== undefined && wanted === region);
}

/** What a code of a state may be taken for: one with a vowel is a word, `in`, `or`, `me`. */
const wordLike = /[aeiou]/;
const codeLengthMax = 3;

/**
 * The territory of a folded name: a state, a part of the world, or a country by its English name.
 * @param city before the name, if there is one: with it, `portland or` is in Oregon.
 */
export function findTerritory(name: string, city: string | null = null): NamedTerritory | null {
  const country = parseCountryName(name);
  const code = toCountryKey(name);
  const isCode = code.length <= codeLengthMax;
  // `16+ in` is no code.
  const all = isCode && code !== name.replaceAll('.', '') ? [] : listRegions(name);
  const regions = all.filter((region) => !isCode || !wordLike.test(code) || isCityOf(region, city));
  if (regions.length > 0) {
    // `Georgia` is a country as well.
    const others = country === null ? [] : [[country, null] as const];
    const states = regions.map(({ country, code }) => [country, code] as const);
    return { kind: 'region', label: toTitle(name), territory: new Map([...others, ...states]) };
  }
  const part = findWorldPart(name);
  if (part !== null) {
    const countries = [...part.countries].map((code) => [code, null] as const);
    return { kind: 'worldPart', label: part.name, territory: new Map(countries) };
  }
  return country === null ? null : toCountry(country);
}

function isCityOf({ country, code }: Region, city: string | null): boolean {
  return city !== null && listCityKeys(city).some((key) => findCity(key, country)?.region === code);
}

/** The whole country of a code. */
export function toCountry(code: string): NamedTerritory {
  return { kind: 'country', label: toCountryName(code), territory: new Map([[code, null]]) };
}

/** What a filter by country may name: `PT`, `Portugal`, `Scotland`, `Texas`, `US-TX`, `Europe`. */
export function parseTerritory(text: string): NamedTerritory | null {
  const state = parseState(text.trim());
  if (state !== null) return state;
  const country = parseCountry(text);
  const named = findTerritory(foldText(text).trim());
  // `Scotland` is a part of the United Kingdom, but `Georgia` the country.
  const isPart = country !== null && typeof named?.territory.get(country) === 'string';
  return country === null || isPart ? named : toCountry(country);
}

/** `US-TX`, for names that mean something else, too. */
function parseState(text: string): NamedTerritory | null {
  const [state] = /^[A-Z]{2}-/i.test(text) ? listRegions(text) : [];
  if (state === undefined) return null;
  const { country, code } = state;
  return { kind: 'region', label: code, territory: new Map([[country, code]]) };
}

function toTitle(phrase: string): string {
  // Codes are in capitals.
  if (phrase.length <= 3) return phrase.toUpperCase();
  return phrase.replace(/(?:^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Parts of the world that people name, by the ISO 3166-1 codes of their countries (continents as in UN M49). */
const codesByPart: Readonly<Record<string, string>> = {
  Europe:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  Africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  Asia: 'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  'North America':
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  'South America': 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  Oceania: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV VU WF WS',
  'Latin America': 'AR BO BR BZ CL CO CR CU DO EC GF GT GY HN HT MX NI PA PE PR PY SR SV UY VE',
  'Central America': 'BZ CR GT HN NI PA SV',
  Caribbean: 'AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI',
  'Middle East': 'AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE',
  'Southeast Asia': 'BN ID KH LA MM MY PH SG TH TL VN',
  Benelux: 'BE LU NL',
  Scandinavia: 'DK NO SE',
  'Nordic countries': 'AX DK FI FO GL IS NO SE',
  'Baltic states': 'EE LT LV',
  DACH: 'AT CH DE',
  Balkans: 'AL BA BG GR HR ME MK RO RS SI XK',
  Iberia: 'AD ES GI PT',
  'British Isles': 'GB GG IE IM JE',
};

/** Folded: what else a search may call them. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nordics: 'Nordic countries',
    baltics: 'Baltic states',
    europa: 'Europe',
    skandinavien: 'Scandinavia',
    afrika: 'Africa',
    asien: 'Asia',
  }),
);

/** By country: the territories that ISO 3166-1 has codes of. */
const territories: Readonly<Record<string, string>> = {
  AU: 'CC CX NF',
  CN: 'HK MO TW',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE WF YT',
  GB: 'AI BM FK GG GI IM JE KY MS SH TC VG',
  NL: 'AW BQ CW SX',
  NO: 'SJ',
  NZ: 'CK NU TK',
  US: 'AS GU MP PR VI',
};

/** `Puerto Rico, USA`. */
export function isTerritoryOf(code: string, country: string): boolean {
  return territories[country]?.split(' ').includes(code) === true;
}

/** A part of the world, and its countries. */
export type WorldPart = Readonly<{ name: string; countries: ReadonlySet<string> }>;

const parts: ReadonlyMap<string, WorldPart> = new Map(
  Object.entries(codesByPart).map(([name, codes]) => [
    name.toLowerCase(),
    { name, countries: new Set(codes.split(' ')) },
  ]),
);

/** The part of the world that a folded name means; null if there is none. */
export function findWorldPart(name: string): WorldPart | null {
  return parts.get(name) ?? parts.get((otherNames.get(name) ?? '').toLowerCase()) ?? null;
}
