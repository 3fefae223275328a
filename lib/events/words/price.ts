import { foldText } from './fold-text.ts';

/** “Free” in the languages of tables, folded. Where a script has no spaces, the word may stand anywhere. */
const freeWords =
  /(?:^|[^\p{L}])(?:free|gratis|gratuit|gratuite|gratuito|gratuita|kostenlos|kostenfrei|umsonst|eintritt frei|darmowe|darmowy|zdarma|ingyenes|ucretsiz|besplatno|tasuta|бесплатно|безкоштовно|безплатно|δωρεαν|مجانا|مجاني|חינם)(?![\p{L}])|無料|免费|免費|무료|ฟรี/u;

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
  return freeWords.test(text) && !notForAll.test(text);
}
