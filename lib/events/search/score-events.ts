import type { MarqueeEvent } from '../model/schema.ts';
import type { SearchIndex } from '../source/search-index.ts';
import { foldText, hasWords } from '../words/fold-text.ts';
import { isKindWord, splitWords } from './search-words.ts';

/** How well events match a search beyond that they do, by id; more is better, and 0 is left out. */
export type Scores = Readonly<Record<string, number>>;

type ScoredSnapshot = Readonly<{
  positionById: ReadonlyMap<string, number>;
  search: SearchIndex;
}>;

/** A word of the name counts more than one of the kind, and that more than one of the place or the organizer. */
const [nameScore, kindScore, placeScore] = [3, 2, 1];

/** The scores of events for a search; a word that all of them have changes nothing. */
export function scoreEvents(
  { positionById, search }: ScoredSnapshot,
  q: string,
  events: readonly MarqueeEvent[],
): Scores {
  const words = splitWords(q)
    .filter((word) => !word.isNoise || isKindWord(word))
    .map(({ plain }) => plain);
  const scores: Record<string, number> = {};
  if (words.length === 0) return scores;
  const { names, places, organizers, series } = search;
  for (const { id, projectTypes } of events) {
    const at = positionById.get(id) ?? -1;
    const texts = [
      [nameScore, names[at]],
      [kindScore, foldText([...projectTypes, series[at]].join('\n'))],
      [placeScore, `${places[at]}\n${organizers[at]}`],
    ] as const;
    const toScore = (word: string) => texts.find(([, text = '']) => hasWords(text, word))?.[0] ?? 0;
    const score = words.reduce((sum, word) => sum + toScore(word), 0);
    if (score > 0) scores[id] = score;
  }
  return scores;
}
