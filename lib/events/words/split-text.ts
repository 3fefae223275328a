import { foldText, wordGap } from './fold-text.ts';
import { allDayNames } from './written-days.ts';

/** Scripts without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const unspacedGap =
  /(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]) (?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])/gu;
/** A segmenter would take the parts of a date apart: `2027年7月1日`. */
const dates = /(\d{1,4}年|\d{1,2}月|\d{1,2}日)/u;

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a text, where Chinese and Japanese have no spaces, too. */
export function splitText(text: string): string[] {
  return text
    .split(wordGap)
    .flatMap((word) => (unspaced.test(word) ? word.split(dates).flatMap(segment) : [word]))
    .filter((word) => word !== '');
}

function segment(text: string): string[] {
  if (!unspaced.test(text) || /^\d/.test(text)) return [text];
  return [...segmenter.segment(text)].filter((part) => part.isWordLike).map((part) => part.segment);
}

/** Words as a text has them. */
export function joinWords(words: readonly string[]): string {
  return words.join(' ').replaceAll(unspacedGap, '');
}

/** The words of a name, without all punctuation: `Pocket Synth Build-Along` is `pocket synth build along`. */
export function toNameWords(text: string): string[] {
  const plain = foldText(text).replaceAll("'", '');
  return splitText(plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '));
}

/** What languages write as a part of a word, where English has a word of its own: `Lizbon’da`, `도쿄에서`, `d’enfants`. */
const affixes: readonly RegExp[] = [
  // French, folded.
  /^(?:[cdjlmnst]|qu)'(?=\p{L}{2})/u,
  // Turkish, and the English genitive.
  /'\p{L}{1,5}$/u,
  // Korean.
  /(?<=\p{sc=Hang})(?:에서는|에서|으로|에는|에|의|은|는|이|가|을|를|로|도|와|과)$/u,
  // Arabic: prepositions, also with the article.
  /^[بلوفك](?=\p{sc=Arab}{3})/u,
  /^(?:[وبفك]?ال|لل)(?=\p{sc=Arab}{3})/u,
];

/** A city behind “in” in Slavic languages: `w Krakowie`, `w Lizbonie`, `v Brně`, `в Москве`, `в Казани`. */
const slavicPlace = /^(?:we?|ve?|во?) (([\p{L}-]{3,}?)(?:ie|iu|[uieеи]))$/u;
/** How its own name ends; `Praze` is `Praha`. */
const placeEnds = ['ь', '', 'a', 'o', 'а'];

/** What folded words may be without the parts that a language adds to them; they themselves come first. */
export function listBaseForms(phrase: string): string[] {
  const [, word = '', stem] = slavicPlace.exec(phrase) ?? [];
  // `v dubnu` is in April, not in Dubna.
  const isPlace = stem !== undefined && !allDayNames().months.has(word);
  const places = isPlace ? placeEnds.map((end) => stem + end) : [];
  const changed = stem?.endsWith('z') ? [stem.replace(/z$/, 'ha')] : [];
  const plain = affixes.map((affix) => phrase.replace(affix, ''));
  return [...new Set([phrase, ...plain, ...places, ...changed])];
}
