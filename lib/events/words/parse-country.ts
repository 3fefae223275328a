import { foldName } from './fold-text.ts';
import { readNamesFile } from './read-names.ts';

/** What people call countries besides their names in ISO 3166 and CLDR. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates', 'الإمارات'],
  AR: ['Argentine Republic'],
  BA: ['Bosnia'],
  CD: ['DR Congo', 'DRC'],
  CG: ['Congo'],
  CH: ['Swiss Confederation'],
  CN: ['People’s Republic of China', 'PRC'],
  CZ: ['Czech Republic', 'Czech'],
  DO: ['Dominicana'],
  EG: ['جمهورية مصر العربية'],
  FR: ['French Republic'],
  GB: [
    'U.K.',
    'Great Britain',
    'Britain',
    'England',
    'Scotland',
    'Wales',
    'Northern Ireland',
    'United Kingdom of Great Britain and Northern Ireland',
  ],
  GR: ['Hellenic Republic', 'Hellas'],
  IT: ['Italian Republic'],
  KG: ['Kyrgyz Republic'],
  HK: ['Hong Kong China'],
  KP: ['Democratic People’s Republic of Korea', 'DPRK'],
  KR: ['Korea', 'S. Korea'],
  LA: ['Lao PDR'],
  MK: ['Macedonia'],
  MO: ['Macao China', 'Macau China'],
  MM: ['Burma'],
  NL: ['Holland', 'Kingdom of the Netherlands'],
  PT: ['Portuguese Republic'],
  SA: ['KSA', 'Saudi', 'العربية السعودية', 'السعودية'],
  SK: ['Slovak Republic', 'Slovak'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkiye'],
  TW: ['Republic of China', 'ROC', 'Chinese Taipei'],
  TZ: ['United Republic of Tanzania'],
  US: ['U.S.', 'America'],
  VA: ['Vatican', 'Holy See'],
};

/** The code of each country by its names. English names are apart: in other languages, a word may be a country’s. */
type CountryIndex = Readonly<{
  codes: ReadonlyMap<string, string>;
  english: ReadonlyMap<string, string>;
  all: ReadonlyMap<string, string>;
}>;

// Built at first use: pages need the names only.
let countryIndex: CountryIndex | null = null;

function readIndex(): CountryIndex {
  countryIndex ??= indexNames();
  return countryIndex;
}

/** By code: its three letters, and its names in English and in other languages, as keys. */
type CountryNames = Readonly<
  Record<
    string,
    Readonly<{ alpha3: string; english: readonly string[]; others: readonly string[] }>
  >
>;

function indexNames(): CountryIndex {
  const countries = Object.entries(readNamesFile<CountryNames>('country-names.json'));
  const others = Object.entries(otherNames).flatMap(([code, list]) =>
    list.map((name) => [toCountryKey(name), code] as const),
  );
  const toMap = (pick: keyof (typeof countries)[number][1]) =>
    countries.flatMap(([code, lists]) => [lists[pick]].flat().map((key) => [key, code] as const));
  const english = [...toMap('english'), ...others];
  return {
    codes: new Map([...countries.map(([code]) => [code, code] as const), ...toMap('alpha3')]),
    english: new Map(english),
    all: new Map([...toMap('others'), ...english]),
  };
}

/** The code of a country by its flag, its code in two or three letters, or its name in many languages; null if there is none. */
export function parseCountry(text: string): string | null {
  const { codes, all } = readIndex();
  const plain = text.replace(/\s+S\.?A\.?R\.?(?:\s+(?:of )?China)?$/i, '').trim();
  const flagless = plain
    .replace(/[\u{1f1e6}-\u{1f1ff}]{2}|\u{1f3f4}[\u{e0061}-\u{e007f}]+/gu, '')
    .trim();
  if (flagless === '') return parseFlag(plain);
  const code = codes.get(flagless.replace(/\.$/, '').toUpperCase());
  return code ?? findName(flagless, all);
}

/** Regional indicators, or the flag of a part of the United Kingdom. */
function parseFlag(flag: string): string | null {
  if (flag.startsWith('\u{1f3f4}')) return 'GB';
  const letters = [...flag].slice(0, 2).map((sign) => (sign.codePointAt(0) ?? 0) - 0x1f1e6);
  const code = String.fromCharCode(...letters.map((letter) => 0x41 + letter));
  return readIndex().codes.get(code) ?? null;
}

/** A name, if need be one that ISO writes as `Korea, Republic of` or `Bolivia (Plurinational State of)`. */
function findName(text: string, names: ReadonlyMap<string, string>): string | null {
  // `I/O` is no country.
  if (/[/\\@#]/.test(text)) return null;
  const find = (name: string) => {
    const withoutForm = name.replace(stateForm, '');
    return names.get(toCountryKey(name)) ?? names.get(toCountryKey(withoutForm)) ?? null;
  };
  const [, name = '', more = ''] = /^([^,(]+)[,(]([^)]*)\)?$/.exec(text) ?? [];
  if (name === '') return find(text);
  const whole = find(text) ?? find(`${more} ${name}`);
  if (whole !== null) return whole;
  const [first, second] = [find(name), find(more)];
  // `Belgium, Netherlands` are two.
  return first !== null && second !== null && first !== second ? null : (first ?? second);
}

/** What a country is: `Federal Republic of Germany`. */
const stateForm =
  /^(?:the )?(?:(?:federal|democratic|islamic|people[’']s|socialist|independent|united) )*(?:republic|kingdom|state|states|commonwealth|principality|sultanate|grand duchy|union|federation) of (?:the )?/i;

/** What spellings of a name have in common. */
export function toCountryKey(name: string): string {
  return foldName(name)
    .replaceAll('&', 'and')
    .replace(/\bst\.? /g, 'saint ')
    .replace(/\bthe\b/g, '')
    .replace(/\P{L}/gu, '');
}

/**
 * The code of a country by its English name. Two letters are more likely a word or the state of a city, and `i ran` is
 * not Iran.
 */
export function parseCountryName(name: string): string | null {
  const isName = /^[^\d]{3,}$|^uk$/iu.test(name) && !/(?:^|\s)\p{L}(?:\s|$)/u.test(name);
  return isName ? findName(name, readIndex().english) : null;
}
