import type { Position } from '../model/position.ts';
import { withinDefaultKm } from '../query/events-query.ts';
import type { SearchVocabulary } from '../source/search-index.ts';
import { joinWords } from '../words/split-text.ts';
import { findNearPlace } from './find-place.ts';
import { toTitle, type Word } from './search-words.ts';

/** What is near a place. */
export type NearMeaning = Readonly<{
  kind: 'near';
  value: Readonly<{ center: Position; km: number }>;
}>;

/** “Closest to” asks for an order; what is further away than this is not close. */
const closestKm = 500;

/** Words before or behind the name of a place, and how near is meant. */
const phrases: readonly (readonly [pattern: RegExp, km: number])[] = [
  [/^(?:closest|nearest)(?: to)?$/, closestKm],
  [/^(?:near|nearby|near to|around|close to|not far from|next to)$/, withinDefaultKm],
];
const within = /^(?:within )?(\d{1,4}) ?km (?:of|from|around)$/;

const phraseWordsMax = 4;
const placeWordsMax = 4;
/** `closest robots event to Brussels`. */
const gapMax = 4;

type FoundNear = Readonly<{
  meaning: NearMeaning;
  label: string;
  own: ReadonlySet<Word>;
}>;

/** The first words that say what an event is near to: `near Brussels`, `within 100 km of Ghent`, `里斯本附近`. */
export function findNear(words: readonly Word[], vocabulary: SearchVocabulary): FoundNear | null {
  for (let start = 0; start < words.length; start++) {
    const phrase = findPhrase(words, start);
    if (phrase === null) continue;
    const { km, count } = phrase;
    const end = start + count;
    const behind = words.slice(end + (km === closestKm ? countGap(words, end) : 0));
    // In English, `in Ghent around Christmas` is not near Ghent.
    const isTranslated = words[start]?.plain !== words[start]?.english;
    const found =
      findFirstPlace(behind, vocabulary) ??
      (isTranslated ? findLastPlace(words.slice(0, start), vocabulary) : null);
    if (found === null) continue;
    const { place, named } = found;
    return {
      meaning: { kind: 'near', value: { center: place.center, km } },
      label: `Within ${km} km of ${place.name ?? toTitle(joinWords(named.map(({ typed }) => typed)))}`,
      own: new Set([...words.slice(start, end), ...named]),
    };
  }
  return null;
}

function findPhrase(words: readonly Word[], start: number) {
  for (let count = phraseWordsMax; count > 0; count--) {
    const text = joinWords(words.slice(start, start + count).map(({ english }) => english));
    const km =
      Number(within.exec(text)?.[1] ?? 0) || phrases.find(([pattern]) => pattern.test(text))?.[1];
    if (km !== undefined && start + count <= words.length) return { km, count };
  }
  return null;
}

/** The number of words up to and with `to`; none if there is no such word soon. */
function countGap(words: readonly Word[], start: number): number {
  return words.slice(start, start + gapMax).findIndex(({ english }) => english === 'to') + 1;
}

function findFirstPlace(words: readonly Word[], vocabulary: SearchVocabulary) {
  for (let count = Math.min(placeWordsMax, words.length); count > 0; count--) {
    const named = words.slice(0, count);
    const place = findPlaceOf(named, vocabulary);
    if (place !== null) return { place, named };
  }
  return null;
}

/** The place at the end, but for words that say nothing. */
function findLastPlace(words: readonly Word[], vocabulary: SearchVocabulary) {
  const end = words.findLastIndex(({ isNoise }) => !isNoise) + 1;
  for (let start = Math.max(0, end - placeWordsMax); start < end; start++) {
    const named = words.slice(start, end);
    const place = findPlaceOf(named, vocabulary);
    if (place !== null) return { place, named };
  }
  return null;
}

function findPlaceOf(words: readonly Word[], vocabulary: SearchVocabulary) {
  return findNearPlace(joinWords(words.map(({ plain }) => plain)), vocabulary);
}
