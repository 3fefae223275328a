const letters: Readonly<Record<string, string>> = {
  '’': "'",
  ʼ: "'",
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** Accents and vowel points. Marks of other scripts are letters: vowels in Thai and Devanagari, `が` is not `か`. */
const accents = /(?![\u3099\u309a])(?=\p{M})[\p{sc=Zinh}\p{sc=Hebr}]/gu;

/** Folds text for searching, without case, accents, curly apostrophes and compatibility forms (NFKD). */
export function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replace(accents, '')
      // Hangul is written in syllables.
      .normalize('NFC')
      // After NFKD, which turns styled letters into plain ones, capitals among them.
      .toLowerCase()
      .replace(/[^\x00-\x7f]/g, (letter) => letters[letter] ?? letter)
  );
}

/** What stands between words; Arabic has a comma of its own. */
export const wordGap = /[\s,;،]+/;

/** A word of a text or a search without the punctuation around it: that in `c++` and `.net` belongs to it. */
export function toTypedWord(word: string): string {
  return (
    word
      // Marks of direction, which Arabic dates have.
      .replace(/[\u061c\u200e\u200f]/g, '')
      .replace(/^["'“‘„(¿¡]+|["'”’)?!.:…؟？！。]+$/g, '')
  );
}

/** The same, folded. */
export function toPlainWord(word: string): string {
  return toTypedWord(foldText(word).replace(/[–—−]/g, '-'));
}

/** Folds a name for comparing: without all marks, those that are letters among them, which people leave out or mistype. */
export function foldName(name: string): string {
  return foldText(name)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
}

/** What names with the same letters and digits have in common: without case, accents and punctuation. */
export function toNameKey(name: string): string {
  const folded = foldName(name);
  return folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || folded.trim();
}

/** Whether folded text has these words next to each other and not as a part of longer ones. */
export function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isLetterAt(text, at - 1) && !isLetterAt(text, at + words.length)) return true;
  }
  return false;
}

/** Whether a word of folded text begins with these letters. */
export function hasWordStart(text: string, letters: string): boolean {
  for (let at = text.indexOf(letters); at !== -1; at = text.indexOf(letters, at + 1)) {
    if (!isLetterAt(text, at - 1)) return true;
  }
  return false;
}

// Folded Latin letters and digits only: other scripts may have no spaces between words.
function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Digits of all scripts as those of ASCII: `٢٠٢٧` is `2027`. */
export function toPlainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(toValue(digit.codePointAt(0) ?? 0)));
}

// Unicode has the digits of a script in a row, zero first.
function toValue(code: number): number {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value % 10;
}
