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
