import { foldText } from './fold-text.ts';

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

const signs = '[$£€¥₹₩₽₺₴]';
const names =
  '(?:eur|euros?|usd|us\\$|dollars?|gbp|pounds?|chf|sek|nok|dkk|kr|pln|zł|zl|czk|kc|huf|ft|jpy|inr|aud|cad|nzd|mxn|brl|r\\$|zar)';

/** A number, or a range of them, with a currency before or after it. */
const amount = new RegExp(
  `(?:${signs}|(?<!\\p{L})${names}\\.?)\\s*(\\d[\\d.,\\s-]*)|(\\d[\\d.,-]*)\\s*(?:${signs}|${names}(?!\\p{L}))`,
  'gu',
);

/** Whether a price says that attending costs nothing. What is not known is not free. @param price as it was written. */
export function isFree(price: string | null): boolean {
  if (price === null) return false;
  const text = foldText(price).replace(/[–—−]/g, '-');
  const amounts = [...text.matchAll(amount)].map(([, after, before]) => after ?? before ?? '');
  if (amounts.some((number) => /[1-9]/.test(number))) return false;
  if (amounts.length > 0 || /^\s*0+(?:[.,]0+)?\s*$/.test(text)) return true;
  return freePattern.test(text) && !notForAll.test(text);
}
