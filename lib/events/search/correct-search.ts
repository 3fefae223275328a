import leven from 'leven';
import type { SearchIndex } from '../source/search-index.ts';
import { findUnknownWords } from './search-matcher.ts';
import { splitWords } from './search-words.ts';

type SearchedSnapshot = Readonly<{ day: string; search: SearchIndex }>;

const correctedMax = 5;
const wordLengthMin = 4;
const wordLengthMax = 40;
/** Letters that may differ in a short word, and in one of at least six. */
const differences = { short: 1, long: 2 };

/**
 * The search with the nearest names of cities and organizers in place of words that no event has: `robots lisbn` →
 * `robots Lisbon`. Null if there is none.
 */
export function correctSearch(q: string, snapshot: SearchedSnapshot): string | null {
  // All texts are looked through for each word.
  const unknown = findUnknownWords(q, snapshot, correctedMax);
  const { cities, organizers } = snapshot.search.vocabulary;
  const names = [...cities, ...organizers];
  const nearest = new Map(unknown.map((word) => [word, findNearestName(word, names)]));
  const words = splitWords(q);
  const corrected = words.map(({ typed, folded }) => nearest.get(folded) ?? typed).join(' ');
  return corrected === words.map(({ typed }) => typed).join(' ') ? null : corrected;
}

function findNearestName(
  word: string,
  names: readonly (readonly [folded: string, name: string])[],
): string | null {
  if (word.length < wordLengthMin || word.length > wordLengthMax) return null;
  let least = (word.length < 6 ? differences.short : differences.long) + 1;
  let nearest: string | null = null;
  for (const [folded, name] of names) {
    if (Math.abs(folded.length - word.length) >= least) continue;
    const distance = leven(folded, word, { maxDistance: least });
    if (distance < least) [least, nearest] = [distance, name];
  }
  return nearest;
}
