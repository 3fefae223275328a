import { foldText, hasWords } from './fold-text.ts';

/** A country that a search names. */
export type Country = Readonly<{
  name: string;
  /** Folded: its English name, and others that people type. */
  names: readonly string[];
}>;

/** What people type for a country besides its English name. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae', 'emirates'],
  BA: ['bosnia and herzegovina', 'bosnia'],
  CI: ['ivory coast'],
  CZ: ['czech republic'],
  GB: ['uk', 'great britain', 'britain'],
  HK: ['hong kong'],
  KR: ['korea'],
  MM: ['myanmar', 'burma'],
  NL: ['holland', 'the netherlands'],
  PS: ['palestine'],
  TR: ['turkey', 'turkiye'],
  US: ['usa', 'america', 'united states of america'],
};
/** Region codes of no country: organizations, pseudo-locales, “Unknown Region”. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
let countries: ReadonlyMap<string, Country> | undefined;

/** The country with this folded name. */
export function findCountry(name: string): Country | undefined {
  countries ??= listCountries();
  return countries.get(name);
}

function listCountries(): ReadonlyMap<string, Country> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const byName = new Map<string, Country>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    const folded = foldText(name ?? '');
    // A withdrawn code has the name of another one.
    if (name === undefined || noCountries.has(code) || byName.has(folded)) continue;
    const all = [folded, ...(otherNames[code] ?? [])];
    for (const one of all) byName.set(one, { name, names: all });
  }
  return byName;
}

/** A segment of a location is a name, not a sentence. */
const cityWordsMax = 4;

/**
 * The city in the text of a location, as far as it can be told: the last of its parts that is neither a country nor
 * has digits. `Platform 4, Zürich` is in Zürich.
 */
export function findCity(location: string): string | null {
  const cities = location
    .split(/[,،、，;|/\n]+/u)
    .map((part) => part.trim())
    .filter((part) => isCityName(foldText(part)));
  return cities.at(-1) ?? null;
}

function isCityName(folded: string): boolean {
  if (folded.length < 2 || /\p{Nd}/u.test(folded)) return false;
  const isShort = /^[a-z. ]{0,3}$/.test(folded);
  return !isShort && toWords(folded).length <= cityWordsMax && findCountry(folded) === undefined;
}

function toWords(text: string): string[] {
  return text.split(/\s+/);
}

/** Whether a folded text has one of these names. */
export function hasName(text: string, names: readonly string[]): boolean {
  return names.some((name) => hasWords(text, name));
}
