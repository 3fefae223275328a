import { foldText } from '../search/fold-text.ts';

/** Codes of ISO 3166-1 alpha-2 and `XK`, which is Kosovo almost everywhere. */

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const shortNames = new Intl.DisplayNames('en', { type: 'region', style: 'short' });

/** Named by Unicode, but not countries of ISO 3166-1. */
const notInIso = [
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
];

/** What people call countries besides their names in Unicode. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates'],
  BA: ['Bosnia'],
  BN: ['Brunei Darussalam'],
  CD: ['Democratic Republic of the Congo', 'DR Congo', 'DRC'],
  CG: ['Republic of the Congo', 'Congo'],
  CI: ['Ivory Coast'],
  CN: ['People’s Republic of China', 'PRC'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  GB: [
    'UK',
    'U.K.',
    'Great Britain',
    'Britain',
    'England',
    'Scotland',
    'Wales',
    'Northern Ireland',
  ],
  GM: ['The Gambia'],
  IR: ['Islamic Republic of Iran'],
  KR: ['Korea', 'Republic of Korea'],
  LA: ['Lao PDR'],
  MD: ['Republic of Moldova'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  NL: ['The Netherlands', 'Holland'],
  PS: ['State of Palestine'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  SY: ['Syrian Arab Republic'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  TZ: ['United Republic of Tanzania'],
  US: ['USA', 'U.S.A.', 'U.S.', 'America', 'United States of America'],
  VA: ['Vatican', 'Holy See'],
  VN: ['Viet Nam'],
};

// Built at first use: pages need the names only.
let codesByName: ReadonlyMap<string, string> | null = null;

/** The code of a country by its code or English name; null if there is none. */
export function parseCountry(text: string): string | null {
  codesByName ??= indexNames();
  return codesByName.get(toKey(text)) ?? null;
}

function indexNames(): Map<string, string> {
  return new Map(
    listCountryCodes().flatMap((code) =>
      [code, names.of(code), shortNames.of(code), ...(otherNames[code] ?? [])].map(
        (name) => [toKey(name ?? code), code] as const,
      ),
    ),
  );
}

/** A country's name in English: `Belgium`, `Hong Kong`. */
export function toCountryName(code: string): string {
  // The long names of these say more than people do.
  const isWordy = ['HK', 'MM', 'MO', 'PS'].includes(code);
  return (isWordy ? shortNames : names).of(code) ?? code;
}

/** All codes, in their order. */
export function listCountryCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !notInIso.includes(code) && names.of(code) !== undefined)
    .filter((code) => new Intl.Locale(`und-${code}`).region === code);
}

function toKey(name: string): string {
  return foldText(name)
    .replaceAll('&', 'and')
    .replace(/\bst\.? /g, 'saint ')
    .replace(/[^a-z]/g, '');
}

/**
 * The code of a country by its name. Two letters are more likely a word or the state of a city, and `i ran` is not Iran.
 */
export function parseCountryName(name: string): string | null {
  const isName = /^[^\d]{3,}$|^uk$/iu.test(name) && !/(?:^|\s)\p{L}(?:\s|$)/u.test(name);
  return isName ? parseCountry(name) : null;
}
