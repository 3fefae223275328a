import { monthNames } from '../model/dates.ts';
import { toPlainWord, toTypedWord } from '../words/fold-text.ts';
import { englishWords, fillerWords, translations } from '../words/question-words.ts';
import { joinWords, listBaseForms, splitText } from '../words/split-text.ts';

/** A word of a search, or several that are one English phrase. */
export type Word = Readonly<{
  /** As it was typed, without the punctuation around it. */
  typed: string;
  /** The same, folded. */
  plain: string;
  /** What it is in English; itself if it is none of the words that searches in other languages have. */
  english: string;
  /** Whether it says nothing about which event is meant. */
  isNoise: boolean;
}>;

/** They call everything here so: it says which event is meant only where it stands alone. */
const kindWords: ReadonlySet<string> = new Set(['hackathon', 'hackathons']);

export function isKindWord({ plain }: Word): boolean {
  return kindWords.has(plain);
}

/** `la 5 december` is no Spanish. */
const lettersMin = 4;

/** The words of a search. Those of the language that knows most of them are in English, too. */
export function splitWords(q: string): Word[] {
  const typed = splitText(q);
  const known = countEnglish(typed);
  let best: Pick<Translated, 'words' | 'known'> = { words: typed.map(toEnglishWord), known };
  for (const language of translations) {
    const translated = translate(typed, language);
    const isCertain = translated.hasPhrase || translated.letters >= lettersMin;
    if (isCertain && translated.known > best.known) best = translated;
  }
  return best.words.filter(({ plain }) => plain !== '');
}

function countEnglish(words: readonly string[]): number {
  return words.filter((word) => englishWords.has(toPlainWord(word))).length;
}

function toEnglishWord(text: string): Word {
  const plain = toPlainWord(text);
  const isNoise = fillerWords.has(plain) || kindWords.has(plain);
  return { typed: toTypedWord(text), plain, english: toEnglishDate(plain) ?? plain, isNoise };
}

/** `2027年`, `12月`, `5日`, `12월에`; null for other words. */
function toEnglishDate(word: string): string | null {
  const [, number = '', unit = ''] = /^(\d{1,4})([年月日년월일])(?:에)?$/.exec(word) ?? [];
  if (number === '') return null;
  const isMonth = unit === '月' || unit === '월';
  return isMonth ? (monthNames[Number(number) - 1]?.toLowerCase() ?? null) : number;
}

const phraseWordsMax = 5;

type Translated = Readonly<{
  words: readonly Word[];
  /** How many words the language has, or English, and how long those are that say nothing. */
  known: number;
  letters: number;
  /** Whether some say something. */
  hasPhrase: boolean;
}>;

function translate(typed: readonly string[], language: ReadonlyMap<string, string>): Translated {
  const words: Word[] = [];
  const plain = typed.map(toPlainWord);
  let [known, letters, hasPhrase] = [0, 0, false];
  for (let start = 0; start < typed.length; ) {
    const found = findPhrase(plain.slice(start, start + phraseWordsMax), language);
    const own = typed.slice(start, start + (found?.count ?? 1));
    start += own.length;
    known += found?.count ?? countEnglish(own);
    if (found === null) words.push(...own.map(toEnglishWord));
    else if (found.english === '') {
      letters += found.phrase.length;
      words.push(...own.map((word) => ({ ...toEnglishWord(word), isNoise: true })));
    } else {
      const { phrase, english } = found;
      const isNoise = fillerWords.has(english);
      hasPhrase = true;
      words.push({ typed: joinWords(own.map(toTypedWord)), plain: phrase, english, isNoise });
    }
  }
  return { words, known, letters, hasPhrase };
}

function findPhrase(words: readonly string[], language: ReadonlyMap<string, string>) {
  for (let count = words.length; count > 0; count--) {
    const phrase = joinWords(words.slice(0, count));
    for (const form of listBaseForms(phrase)) {
      const english = language.get(form);
      if (english !== undefined) return { phrase, english, count };
    }
  }
  return null;
}

/** Words as a name: `New York`. */
export function toTitle(text: string): string {
  return text.replace(/(?:^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}
