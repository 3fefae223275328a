import { foldText } from './fold-text.ts';
import { toPlainDigits } from './plain-digits.ts';

/** “Free” in the languages of tables. */
const freeWords = [
  'free',
  'no charge',
  'no cost',
  'gratis',
  'gratuit',
  'gratuite',
  'gratuito',
  'gratuita',
  'entrada libre',
  'entrada franca',
  'ingresso libero',
  'entree libre',
  'kostenlos',
  'kostenfrei',
  'umsonst',
  'eintritt frei',
  'darmowe',
  'darmowy',
  'bezpłatny',
  'bezpłatne',
  'bezpłatnie',
  'zdarma',
  'zadarmo',
  'ingyenes',
  'ücretsiz',
  'besplatno',
  'brezplačno',
  'tasuta',
  'ilmainen',
  'maksuton',
  'nemokamai',
  'bezmaksas',
  'ókeypis',
  'miễn phí',
  'бесплатно',
  'безкоштовно',
  'безплатно',
  'δωρεάν',
  'مجانا',
  'مجاني',
  'رایگان',
  'חינם',
  'मुफ़्त',
  'मुफ्त',
  'निःशुल्क',
  'বিনামূল্যে',
  'இலவசம்',
];
/** Their scripts have no spaces, or endings follow the word: it may stand anywhere. */
const freeAnywhere = ['無料', '免费', '免費', '무료', 'ฟรี'];

const toChoice = (words: readonly string[]) => words.map(foldText).join('|');
const freePattern = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${toChoice(freeWords)})(?![\\p{L}\\p{M}])|${toChoice(freeAnywhere)}`,
  'u',
);

/** `sugar-free`, `free for members`, `free until May`, `not free`: free of something else, or for some only. */
const notForAll =
  /[\p{L}]-free|not free|free (?:for (?!all\b|everyone\b|everybody\b|anyone\b|visitors\b)|with (?!a\b)|if |until |before |to members)|free (?:shipping|parking|drinks?)/u;

/** Folded: signs and names that are those of one currency. */
const currencies: Readonly<Record<string, string>> = {
  AUD: 'a$, au$',
  BRL: 'r$, reais',
  CAD: 'c$, ca$',
  CHF: 'sfr, franken',
  CZK: 'kč, czk',
  EUR: '€, eur, euro, euros, ευρω, евро',
  GBP: '£, pounds, quid',
  HKD: 'hk$',
  HUF: 'ft, forint',
  IDR: 'rp, rupiah',
  ILS: '₪, nis',
  INR: '₹, rupees',
  JPY: '円, yen, jp¥',
  KRW: '₩, 원',
  KZT: '₸',
  MXN: 'mx$, mex$',
  NGN: '₦, naira',
  NZD: 'nz$',
  PHP: '₱',
  PLN: 'zł, zlotych, złotych',
  RON: 'lei',
  RUB: '₽, руб, рублеи',
  SGD: 's$',
  THB: '฿, บาท, baht',
  TRY: '₺, tl',
  TWD: 'nt$, ntd',
  UAH: '₴, грн',
  USD: 'us$, usd$',
  VND: '₫, đồng',
};

/** Codes that are no words in small letters. */
const usualCodes = 'EUR USD GBP CHF SEK NOK DKK PLN CZK HUF JPY INR AUD CAD NZD MXN BRL ZAR'.split(
  ' ',
);
/** `FREE FOR ALL` is no price in Albania. */
const isoCodes = Intl.supportedValuesOf('currency').filter(
  (code) => !['ALL', 'TOP'].includes(code),
);

const codesByName: ReadonlyMap<string, string> = new Map([
  ...usualCodes.map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries(currencies).flatMap(([code, names]) =>
    names.split(', ').map((name) => [foldText(name), code] as const),
  ),
]);

/** Of several countries. */
const otherNames = ['$', '¥', 'kr', 'rs', 'dollars?', 'pesos?', 'fr'];

// Codes are marked.
const name = [...codesByName.keys(), ...otherNames, '¤[a-z]{3}']
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replaceAll('$', '\\$'))
  .join('|');
const number = "\\d[\\d.,' -]*";

/** A number, or a range of them, with a currency before or after it. */
const amount = new RegExp(
  `(?<![\\p{L}$])(${name})\\.?\\s*(${number})|(${number})\\s*(${name})(?![\\p{L}$])`,
  'gu',
);

type Amount = Readonly<{ numbers: readonly number[]; currency: string | null }>;

function toAmount([, before, after, number, name]: RegExpExecArray): Amount {
  const numbers = (number ?? after ?? '').split('-').flatMap((text) => parseAmount(text) ?? []);
  const unit = name ?? before ?? '';
  const code = unit.startsWith('¤') ? unit.slice(1).toUpperCase() : codesByName.get(unit);
  return { numbers, currency: code ?? null };
}

/** `1.234,50`, `1,234.50`, `1'234`, `5,000`, `12,5`: what three digits follow separates thousands. */
function parseAmount(text: string): number | null {
  const plain = text
    .trim()
    .replace(/[' ](?=\d{3}(?!\d))/g, '')
    .replace(/[.,]+$/, '');
  const parts = /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(plain);
  if (parts === null) return null;
  const [, whole = '', cents = '0'] = parts;
  return Number(`${whole.replace(/[.,]/g, '')}.${cents}`);
}

/** Whom a part of a price is for, and when. Other words may say more, as in “from €5”. */
const besides =
  /\b(?:for|the|at|per|person|p\.?p\.?|each|others?|non|members?|guests?|students?|kids?|children|adults?|seniors?|regular|normal|full|reduced|concessions?|standard|early ?bird|late|door|doors|advance|presale|tickets?|ticket|admission|entry|entrance|vvk|ak|abendkasse|vorverkauf|ermassigt|erwachsene|kinder|studierende|eintritt|entree|entrada|ingresso|incl|inkl|vat|plus|fees?|booking|fee|online|free|kostenlos|gratis|und|and|or|oder)\b/g;

/** What attending costs, from the lowest price to the highest. */
export type PriceRange = Readonly<{ min: number; max: number; currency: string | null }>;

/** Longer texts say more than a price. */
const lengthMax = 80;

/**
 * A price as programs read it; null if it is not known, or in a currency that several countries call so: a dollar may
 * be of many.
 */
export function parsePrice(price: string): PriceRange | null {
  if (isFree(price)) return { min: 0, max: 0, currency: null };
  if (price.length > lengthMax) return null;
  const text = toPlainPrice(price);
  const amounts = [...text.matchAll(amount)].map(toAmount);
  const [first, ...others] = amounts;
  const rest = text.replace(amount, ' ').replace(besides, ' ');
  if (first === undefined || /[\p{L}\p{N}+<>=~≥≤]/u.test(rest)) return null;
  const numbers = amounts.flatMap((one) => one.numbers);
  const isSame = others.every(({ currency }) => currency === first.currency);
  if (first.currency === null || !isSame || numbers.length === 0) return null;
  return { min: Math.min(...numbers), max: Math.max(...numbers), currency: first.currency };
}

function toPlainPrice(price: string): string {
  const marked = price.replace(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu, (code) =>
    isoCodes.includes(code) ? `¤${code}` : code,
  );
  return toPlainDigits(foldText(marked)).replace(/[–—−~〜]/g, '-');
}

/** Whether a price says that attending costs nothing. What is not known is not free. @param price as it was written. */
export function isFree(price: string | null): boolean {
  if (price === null) return false;
  const text = toPlainPrice(price);
  const amounts = [...text.matchAll(amount)].map(toAmount);
  if (amounts.some(({ numbers }) => numbers.some((number) => number > 0))) return false;
  if (amounts.length > 0 || /^\s*0+(?:[.,]0+)?\s*$/.test(text)) return true;
  return freePattern.test(text) && !notForAll.test(text);
}
