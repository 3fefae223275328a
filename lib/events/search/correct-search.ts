import leven from 'leven';
import type { SearchIndex } from '../source/search-index.ts';
import { joinWords } from '../words/split-text.ts';
import type { Word } from './search-words.ts';

/** Letters that may differ in a short word, and in one of at least six. */
const differences = { short: 1, long: 2 };
const wordLengthMin = 4;
const wordLengthMax = 40;
/** Only the newest names of a huge table are compared, to bound the time that it takes. */
const namesMax = 2_000;
const correctedMax = 5;

/**
 * The search with the nearest names of cities, organizers and words of events' names in place of unknown words: `robots
 * lisbn` → `robots Lisbon`. Null if there is none.
 */
export function correctSearch(
  words: readonly Word[],
  unknown: readonly Word[],
  { vocabulary, positionsByName }: SearchIndex,
): string | null {
  if (unknown.length === 0) return null;
  const { cities, organizers } = vocabulary;
  const ofNames = [...positionsByName.keys()].slice(-namesMax).flatMap((name) => name.split(' '));
  const known = new Map([...cities, ...organizers]);
  for (const word of ofNames) if (!known.has(word)) known.set(word, word);
  const nearest = new Map(
    unknown.slice(0, correctedMax).map((word) => [word, findNearest(word.plain, known)]),
  );
  const typed = words.map((word) => word.typed);
  const corrected = words.map((word) => nearest.get(word) ?? word.typed);
  return joinWords(corrected) === joinWords(typed) ? null : joinWords(corrected);
}

function findNearest(word: string, known: ReadonlyMap<string, string>): string | null {
  if (word.length < wordLengthMin || word.length > wordLengthMax) return null;
  let least = (word.length < 6 ? differences.short : differences.long) + 1;
  let nearest: string | null = null;
  for (const [folded, name] of known) {
    if (Math.abs(folded.length - word.length) >= least) continue;
    const distance = leven(folded, word, { maxDistance: least });
    if (distance < least) [least, nearest] = [distance, name];
  }
  return nearest;
}
