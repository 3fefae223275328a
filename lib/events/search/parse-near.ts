import type { Position } from '../model/position.ts';
import { withinDefaultKm } from '../query/events-query.ts';
import type { SearchVocabulary } from '../source/search-index.ts';
import { findNearPlace } from './find-place.ts';
import type { Word } from './search-words.ts';

/** What is near a place. */
export type NearMeaning = Readonly<{
  kind: 'near';
  value: Readonly<{ center: Position; km: number }>;
}>;

/** “Closest to” asks for an order; what is further away than this is not close. */
const closestKm = 500;

/** Folded words before the name of a place, and how near is meant. */
const phrases: readonly (readonly [pattern: RegExp, km: number])[] = [
  [/^(?:closest|nearest)(?: to)?$/, closestKm],
  [/^(?:near|nearby|near to|around|close to|not far from|next to)$/, withinDefaultKm],
  [/^(?:in der nahe von|nahe|pres de|autour de|cerca de|perto de|vicino a)$/, withinDefaultKm],
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

/** The first words that say what an event is near to: `near Brussels`, `within 100 km of Ghent`, `closest to Lille`. */
export function findNear(typed: readonly Word[], vocabulary: SearchVocabulary): FoundNear | null {
  const words = typed.map(({ folded }) => folded);
  for (let start = 0; start < words.length; start++) {
    const phrase = findPhrase(words, start);
    if (phrase === null) continue;
    const end = start + phrase.count;
    const gap = phrase.km === closestKm ? findGap(words, end) : 0;
    const found = findPlaceAt(words, end + gap, vocabulary);
    if (found === null) continue;
    const { place, count } = found;
    const { km } = phrase;
    const named = typed.slice(end + gap, end + gap + count);
    return {
      meaning: { kind: 'near', value: { center: place.center, km } },
      label: `Within ${km} km of ${place.name ?? toTitle(named)}`,
      own: new Set([...typed.slice(start, end), ...named]),
    };
  }
  return null;
}

function findPhrase(words: readonly string[], start: number) {
  for (let count = phraseWordsMax; count > 0; count--) {
    const text = words.slice(start, start + count).join(' ');
    const km =
      Number(within.exec(text)?.[1] ?? 0) || phrases.find(([pattern]) => pattern.test(text))?.[1];
    if (km !== undefined && start + count <= words.length) return { km, count };
  }
  return null;
}

/** The number of words up to and with `to`; none if there is no such word soon. */
function findGap(words: readonly string[], start: number): number {
  return words.slice(start, start + gapMax).indexOf('to') + 1;
}

function findPlaceAt(words: readonly string[], start: number, vocabulary: SearchVocabulary) {
  for (let count = placeWordsMax; count > 0; count--) {
    const named = words.slice(start, start + count);
    const place = named.length < count ? null : findNearPlace(named.join(' '), vocabulary);
    if (place !== null) return { place, count };
  }
  return null;
}

function toTitle(words: readonly Word[]): string {
  const text = words.map(({ typed }) => typed).join(' ');
  return text.replace(/(?:^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}
