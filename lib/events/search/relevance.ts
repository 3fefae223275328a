import type { MarqueeEvent } from '../model/schema.ts';
import { foldText, hasWords } from '../words/fold-text.ts';
import { isNoiseWord, splitWords } from './search-words.ts';

type SeenEvent = Pick<MarqueeEvent, 'name' | 'place' | 'inPerson' | 'organizer'>;

/** How well an event matches a search beyond that its text does; more is better. */
export type Relevance<Event> = (event: Event) => number;

/** A word in the name counts more than one in the place or the organizer. */
const nameScore = 2;
const placeScore = 1;

/** Creates the relevance of a search; null for one without words that say which event is meant. */
export function createRelevance(q: string): Relevance<SeenEvent> | null {
  const words = splitWords(q)
    .map(({ folded }) => folded)
    .filter((word) => !isNoiseWord(word));
  if (words.length === 0) return null;
  return ({ name, place, inPerson, organizer }) => {
    const foldedName = foldText(name);
    const where = [place?.name, place?.city, inPerson?.location, organizer?.name];
    const others = foldText(where.filter(Boolean).join('\n'));
    return words.reduce((score, word) => {
      if (hasWords(foldedName, word)) return score + nameScore;
      return hasWords(others, word) ? score + placeScore : score;
    }, 0);
  };
}
