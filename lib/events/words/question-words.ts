import { foldText } from './fold-text.ts';
import words from './question-words.json' with { type: 'json' };

/** Of each language, separated by commas, by the English ones that mean the same. Those that say nothing stand first. */
const languages: readonly Readonly<Record<string, string>>[] = Object.values(words);

/** English ones that say nothing about which event is meant: everything here is an event. */
const english =
  "event events a an the and or & - – of for to with by from in at on near nearby nearest closest around about what what's whats which where when who how many is isn't are there any some can could i i'm we me my join attend happening anything something do does did you tell show find give please will would be been have has had was were get it its still going go want looking held only just that but these those things stuff";

/** Folded English words that say nothing about which event is meant. */
export const fillerWords: ReadonlySet<string> = new Set(english.split(' '));

/** Words before what is not meant. */
export const negations: ReadonlySet<string> = new Set([
  'not',
  'no',
  'nothing',
  'neither',
  'without',
  'except',
  'excluding',
]);

/** Those, and the ones that words of other languages are translated to. */
export const englishWords: ReadonlySet<string> = new Set([
  ...fillerWords,
  ...negations,
  ...languages.flatMap(Object.keys).flatMap((phrase) => phrase.split(' ')),
]);

/** By language: what its words, folded, are in English; empty for those that say nothing. */
export const translations: readonly ReadonlyMap<string, string>[] = languages.map(
  (words) =>
    new Map(
      Object.entries(words).flatMap(([english, phrases]) =>
        phrases.split(', ').map((phrase) => [foldText(phrase), english] as const),
      ),
    ),
);
