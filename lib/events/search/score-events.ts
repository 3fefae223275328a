import { type Position, toDistanceKm } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { foldText, hasWords } from '../words/fold-text.ts';
import type { UnderstoodWords } from './parse-search.ts';
import { understandSearch } from './search-matcher.ts';
import { isKindWord } from './search-words.ts';

/** How well events match a search beyond that they do, by id; more is better, and 0 is left out. */
export type Scores = Readonly<Record<string, number>>;

/** A word of the name counts more than one of the kind, and that more than one of the place or the organizer. */
const [nameScore, kindScore, placeScore] = [3, 2, 1];

/** The point that a search asks to be near to; null without one. */
export function findSearchCenter(understood: readonly UnderstoodWords[]): Position | null {
  const [center = null] = understood.flatMap(({ meaning, isNot }) =>
    meaning.kind === 'near' && !isNot ? [meaning.value.center] : [],
  );
  return center;
}

/** The scores of events for a search: how near they are, if it asks for a distance, or which of their texts have its words. */
export function scoreEvents(
  snapshot: EventsSnapshot,
  q: string,
  events: readonly MarqueeEvent[],
): Scores {
  const { positionById, search } = snapshot;
  const { words, understood } = understandSearch(snapshot, q);
  const center = findSearchCenter(understood);
  const said = words.filter((word) => !word.isNoise || isKindWord(word)).map(({ plain }) => plain);
  const scores: Record<string, number> = {};
  if (said.length === 0) return scores;
  for (const { id, projectTypes } of events) {
    const at = positionById.get(id) ?? -1;
    const position = search.positions[at] ?? null;
    if (center !== null) {
      if (position !== null) scores[id] = 1 / (1 + toDistanceKm(center, position));
      continue;
    }
    const texts = [
      [nameScore, search.names[at]],
      [kindScore, foldText([...projectTypes, search.series[at]].join('\n'))],
      [placeScore, `${search.places[at]}\n${search.organizers[at]}`],
    ] as const;
    const toScore = (word: string) => texts.find(([, text = '']) => hasWords(text, word))?.[0] ?? 0;
    const score = said.reduce((sum, word) => sum + toScore(word), 0);
    if (score > 0) scores[id] = score;
  }
  return scores;
}
