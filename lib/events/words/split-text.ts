import { foldText, wordGap } from './fold-text.ts';

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
