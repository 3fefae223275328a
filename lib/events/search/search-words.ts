import { toPlainWord, wordGap } from '../words/fold-text.ts';

/** A word of a search. */
export type Word = Readonly<{ typed: string; folded: string }>;

/** Words that say nothing about which event: everything here is an event, and the headline calls them hackathons. */
const noiseWords: ReadonlySet<string> = new Set(
  [
    'event events hackathon hackathons',
    'a an the and or & - of for to with by from in at on near nearby nearest closest around about',
    "what what's what’s whats which where when is are there any some can i we me join attend happening",
    'anything something do does you tell show find give please will be been have has was were',
    'veranstaltung veranstaltungen evenement evenements eventos ist gibt es im am der die das und et les des en',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a folded word says nothing about which event is meant. */
export function isNoiseWord(word: string): boolean {
  return noiseWords.has(word);
}

/** The words of a search. */
export function splitWords(q: string): Word[] {
  return q
    .split(wordGap)
    .map((typed) => ({ typed, folded: toPlainWord(typed) }))
    .filter(({ folded }) => folded !== '');
}
