import type { PriceRange } from '../model/schema.ts';
import { foldText, toPlainDigits } from './fold-text.ts';

/** “Free” in the languages of tables. */
const freeWords = listWords(
  'free, no charge, no cost, gratis, gratuit, gratuite, gratuito, gratuita, entrada libre, entrada franca',
  'ingresso libero, entree libre, kostenlos, kostenfrei, umsonst, eintritt frei, toegang vrij, darmowe, darmowy',
  'bezpłatny, bezpłatne, bezpłatnie, zdarma, zadarmo, ingyenes, ücretsiz, besplatno, brezplačno, tasuta',
  'ilmainen, maksuton, nemokamai, bezmaksas, ókeypis, miễn phí, бесплатно, бесплатный, бесплатная, безкоштовно',
  'безплатно, δωρεάν, مجانا, مجاني, رایگان, חינם, मुफ़्त, मुफ्त, निःशुल्क, বিনামূল্যে, இலவசம், accès libre',
  'accesso libero, acceso libre, entrada livre, freier Eintritt, vrije toegang, fri entré, fritt inträde',
  'fri adgang, vapaa pääsy, wstęp wolny, vstup volný, volný vstup, vstup voľný, díjtalan, ulaz slobodan',
  'slobodan ulaz, вход свободный, свободный вход, вхід вільний, вільний вхід, ελεύθερη είσοδος',
);
/** Their scripts have no spaces, or endings follow the word: it may stand anywhere. */
const freeAnywhere = ['無料', '免费', '免費', '무료', 'ฟรี'];

const paidWords = listWords(
  'paid, not free, kostenpflichtig, payant, payante, de pago, pago, paga, a pagamento, betaald, betalt, płatne',
  'płatny, platený, placené, ücretli, платно, платный, πληρωμή, بتذكرة',
);
const paidAnywhere = ['有料', '收费', '收費', '付费', '付費', '유료', 'มีค่าใช้จ่าย'];

function listWords(...lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(', '));
}

const toChoice = (words: readonly string[]) => words.map(foldText).join('|');

function toPattern(words: readonly string[], anywhere: readonly string[]): RegExp {
  const word = `(?<![\\p{L}\\p{M}])(?:${toChoice(words)})(?![\\p{L}\\p{M}])`;
  return new RegExp(`${word}|${toChoice(anywhere)}`, 'u');
}

const freePattern = toPattern(freeWords, freeAnywhere);
const paidPattern = toPattern(paidWords, paidAnywhere);

/** They say that to attend is free: `entry is free`, `Eintritt frei`, but not `kids free` or `free pizza`. */
const attendance = toChoice([
  "entry|entrance|admission|attendance|participation|access|tickets?|events?|workshops?|talks?|class|course|concert|screening|meetup|public|entry fee|of charge|to (?:attend|join|enter)|open to (?:the public|all|everyone)|all (?:day|night|weekend)|always|completely|totally|entirely|100%|rsvp|registration|with (?:an? )?(?:[^ ]+ )?(?:registration|rsvp|ticket|reservation|booking)|required|needed|requested|optional|donations?|welcome|at the door|is|are|it's|its?|this|the|and|or|but|by",
  'Eintritt|Einlass|Teilnahme|Zutritt|Veranstaltung|(?:nach|mit) (?:Anmeldung|Ticket|Reservierung)|der|die|das|ist|und',
  'entrée|accès|participation|événement|sur (?:inscription|réservation)|l|la|le|est|totalement|et',
  'entrada|acceso|evento|es|totalmente|libre|(?:con|previa|su) (?:inscripción|registrazione|prenotazione|reserva)|entrada é|participação|ingresso|accesso|partecipazione|è|é|a|o|y|e|del todo',
  'toegang|entree|deelname|is|inngang|adgang|entré|inträde|fri|er|är',
  'wstęp|udział|jest|vstup|vstupné|je|ulaz|vstop|belépés|a|részvétel|giriş|katılım|etkinlik|sissepääs|pääsy|sisäänpääsy|ieeja|įėjimas|aðgangur',
  'вход|участие|вхід|участь|είσοδος|η|είναι|الدخول|دخول|ورود|כניסה|הכניסה|प्रवेश|vé|vào cửa|tham dự',
]);
const besideFree = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}])(?:${attendance})(?![\\p{L}\\p{M}\\p{N}])|入場|入场|参加|參加|観覧|費|费|料金|料|门票|門票|活动|活動|は|です|전석|전체|입장|참가|관람|료|비|เข้าชม|เข้า|ร่วม|งาน`,
  'gu',
);
/** `free for everyone`, `gratis para todos`; others are not free: `free for members`. */
const forAll =
  /(?<!\p{L})(?:for|fur|pour|para|per|voor|til|till|dla|pro|для) (?:all|alle|alla|allen|everyone|everybody|anyone|visitors|tous|toutes|todos|todas|tutti|tutte|iedereen|jedermann|wszystkich|vsechny|всех)(?!\p{L}).*/u;

/** Whether a part of a price is that attending is free, and nothing else. */
function saysFree(part: string): boolean {
  if (!freePattern.test(part)) return false;
  const rest = part.replace(forAll, ' ').replace(freePattern, ' ').replace(besideFree, ' ');
  return !/[\p{L}\p{N}]/u.test(rest);
}

/** Folded: signs and names that are those of one currency. */
const currencies: Readonly<Record<string, string>> = {
  AMD: '֏',
  AUD: 'a$, au$',
  AZN: '₼',
  BDT: '৳',
  BRL: 'r$, reais',
  CAD: 'c$, ca$',
  CHF: 'sfr, franken',
  CRC: '₡',
  CZK: 'kč, czk',
  EUR: '€, eur, euro, euros, ευρω, евро',
  GBP: '£, pounds, quid',
  GEL: '₾',
  GHS: '₵, gh₵, gh¢',
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
  RUB: '₽, руб, рублеи, р',
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

/** Names of several countries' currencies. The first two letters of a currency are those of its country. */
const sharedNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    $: 'ARS AUD CAD CLP COP HKD MXN NZD SGD TWD USD',
    '¥': 'CNY JPY',
    kr: 'DKK ISK NOK SEK',
    rs: 'INR LKR NPR PKR',
    dollar: 'AUD CAD HKD NZD SGD USD',
    dollars: 'AUD CAD HKD NZD SGD USD',
    peso: 'ARS CLP COP MXN PHP',
    pesos: 'ARS CLP COP MXN PHP',
    fr: 'CHF',
  }).map(([name, codes]) => [name, codes.split(' ')]),
);

// Codes are marked.
const name = [...codesByName.keys(), ...sharedNames.keys(), '¤[a-z]{3}']
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replaceAll('$', '\\$'))
  .join('|');
const number = "\\d[\\d.,']*(?:(?<=\\d) \\d{3}(?!\\d))*";
const numbers = `${number}(?:\\s*-\\s*(?:${number})?)?`;

/** A number, or a range of them, with a currency before or after it. */
const amount = new RegExp(
  `(?<![\\p{L}$])(${name})\\.?\\s*(${numbers})|(${numbers})\\s*(${name})(?![\\p{L}$])`,
  'gu',
);

/** Without a unit, it is a number alone. */
type Amount = Readonly<{ numbers: readonly number[]; unit: string }>;

function listAmounts(text: string): Amount[] {
  if (plainAmount.test(text)) return [{ numbers: toNumbers(text), unit: '' }];
  return [...text.matchAll(amount)].map(
    ([, before, after = '', number = after, name = before]) => ({
      numbers: toNumbers(number),
      unit: name ?? '',
    }),
  );
}

/** As columns of numbers have them: `12.5`, `5-10`. */
const plainAmount = /^\s*\d[\d.,']*(?:\s*-\s*\d[\d.,']*)?\s*$/;

function toNumbers(text: string): number[] {
  return text.split('-').flatMap((part) => parseAmount(part) ?? []);
}

function toCurrency(unit: string, country: string | null): string | null {
  if (unit.startsWith('¤')) return unit.slice(1).toUpperCase();
  const shared = sharedNames.get(unit)?.find((code) => code.slice(0, 2) === country);
  return codesByName.get(unit) ?? shared ?? null;
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

/** Whom a part of a price is for, and when. Other words may say more, as in “up to €5”. */
const besides =
  /\b(?:for|the|at|per|person|p\.?p\.?|each|others?|non|members?|guests?|students?|kids?|children|adults?|seniors?|regular|normal|full|reduced|conc(?:ession)?s?|family ?tickets?|standard|early ?bird|late|door|doors|advance|presale|tickets?|ticket|admission|entry|entrance|vvk|ak|abendkasse|vorverkauf|ermassigt|erwachsene|kinder|studierende|eintritt|entree|entrada|ingresso|incl|inkl|vat|plus|fees?|booking|fee|online|sliding scale|free|frei|kostenlos|gratis|in|und|and|or|oder)\b/g;

/** Only the lowest price is known: `from €5`, `ab 10 €`, `€5+`, `1000円から`. */
const openEnd =
  /(?<!\p{L})(?:from|start(?:s|ing)?(?: (?:at|from))?|at least|min(?:imum)?\.?|ab|mindestens|a partir de|des|desde|da|a partire da|vanaf|od|fra|fran|alkaen|от|від)(?!\p{L})|\+(?=\s*(?:[,;/)]|$))|[≥>]=?|\b(?:and|&) (?:up|more|above)\b|\bor more\b|\b(?:upwards?|onwards?|aufwarts)\b/gu;
const rangeWords =
  /(?<=\d\s?\p{L}{0,3}|[€$£])\s+(?:to|bis|a|al|do|до|hasta|tot|till?)\s+(?=\p{L}{0,2}[\d€$£])/gu;

/** `£10 (includes tea)`, but not `£10 (suggested donation)`. */
const remark =
  /\((?![^()]*(?:suggest|option|donation|voluntary|deposit|month|up to|from|each|spende|freiwillig))[^()\d]*\)/g;

/** `$10, 21+`. */
const age = /(?<![\d.])(?:ages? )?\d\d(?:\s?\+| (?:and|&|or) (?:over|older|up))/g;

/** Longer texts say more than a price. */
const lengthMax = 80;

/**
 * A price as programs read it; null if it is not known.
 * @param country of the event, as ISO 3166-1 has it: a dollar may be of many.
 */
export function parsePrice(price: string, country: string | null = null): PriceRange | null {
  if (isFree(price)) return { min: 0, max: 0, currency: null };
  if (price.length > lengthMax) return null;
  const text = toPlainPrice(price);
  const amounts = listAmounts(text);
  const numbers = amounts.flatMap((amount) => amount.numbers);
  const [currency = null, ...others] = new Set(
    amounts.map(({ unit }) => toCurrency(unit, country)),
  );
  const isCertain = currency !== null || new Set(amounts.map(({ unit }) => unit)).size === 1;
  if (numbers.length === 0 || others.length > 0 || !isCertain) return null;
  const words = text
    .replace(remark, ' ')
    .replace(plainAmount, ' ')
    .replace(amount, ' ')
    .replace(age, ' ');
  const rest = words.replace(openEnd, ' ').replace(besides, ' ');
  if (/[\p{L}\p{N}+<>=~≥≤]/u.test(rest)) return null;
  const isRange = numbers.length === 2 && text.includes('-');
  const isOpen = !isRange && words.search(openEnd) !== -1;
  return { min: Math.min(...numbers), max: isOpen ? null : Math.max(...numbers), currency };
}

function toPlainPrice(price: string): string {
  const marked = price.replace(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu, (code) =>
    isoCodes.includes(code) ? `¤${code}` : code,
  );
  return toPlainDigits(foldText(marked))
    .replace(/[~〜]\s*$|(?:から|부터|起)/g, ' + ')
    .replace(/[–—−~〜]/g, '-')
    .replace(/(?<=\d):-/g, ' ¤sek')
    .replace(rangeWords, ' - ')
    .replace(/^(?:free|gratis)\s*-\s*(?=(\D{1,4})?\d)/, '$1 0 - ');
}

/** Whether a price says that attending costs nothing. What is not known is not free. @param price as it was written. */
export function isFree(price: string | null): boolean {
  if (price === null) return false;
  const text = toPlainPrice(price);
  const amounts = listAmounts(text);
  if (amounts.some(isAboveZero)) return false;
  const isZero = amounts.some(({ numbers }) => numbers.length > 0);
  return isZero || text.split(/[,;:!()[\]|/.\n]|\s-\s/).some(saysFree);
}

/** What nobody has to pay: `$5 suggested donation`. */
const donation =
  /suggest|voluntary|freiwillig|dobrovoln|(?:donation|spende)\p{L}*:?\s*(?:of\s*)?[^\p{L}\d]{0,2}\d|\d\s?[€$£]?\s?(?:donation|spende)/u;

/** Whether attending is free, or costs something for some at least; null if a price says neither. */
export function toPriceKind(price: string | null): 'free' | 'paid' | null {
  if (price === null) return null;
  if (isFree(price)) return 'free';
  const text = toPlainPrice(price);
  if (donation.test(text)) return null;
  return listAmounts(text).some(isAboveZero) || paidPattern.test(text) ? 'paid' : null;
}

function isAboveZero({ numbers }: Amount): boolean {
  return numbers.some((number) => number > 0);
}
