import leven from 'leven';
import type { SearchIndex } from '../source/search-index.ts';
import { toNameWords } from '../words/split-text.ts';
import type { Word } from './search-words.ts';

/** A name of events that stands in a search. */
export type FoundName = Readonly<{
  positions: readonly number[];
  own: ReadonlySet<Word>;
}>;

type PositionsByName = SearchIndex['positionsByName'];

/** A word of a search as names have them, and where it stands. */
type Part = Readonly<{ text: string; word: Word }>;

/** Longer names are not found as a whole. */
const nameWordsMax = 24;

/** The events of the longest name that stands in a search as a whole; null without one. */
export function findName(words: readonly Word[], names: PositionsByName): FoundName | null {
  const parts = toParts(words);
  let longest: Readonly<{ name: string; own: ReadonlySet<Word> }> | null = null;
  for (const [start, { text: first }] of parts.entries()) {
    let text = first;
    for (let end = start + 1; end - start <= nameWordsMax; end++) {
      if (names.has(text) && text.length > (longest?.name.length ?? 0)) {
        longest = { name: text, own: toOwn(parts.slice(start, end)) };
      }
      const next = parts[end];
      if (next === undefined) break;
      text += ` ${next.text}`;
    }
  }
  return longest && { positions: listPositions(longest.name, names), own: longest.own };
}

/** Of the events that are called so, and of those whose names have more words: `Fork it! Tunis`. */
function listPositions(name: string, names: PositionsByName): number[] {
  const longer = [...names].filter(
    ([other]) => other !== name && ` ${other} `.includes(` ${name} `),
  );
  const positions = [...(names.get(name) ?? []), ...longer.flatMap(([, found]) => found)];
  return [...new Set(positions)];
}

/** Words that differ more are different words. */
const wordDistanceMax = 0.4;
const nameDistanceMax = 0.2;
const wordLengthMin = 4;
/** To bound the time that it takes. */
const misspelledMax = 12;
const comparedMax = 2_000;

/**
 * The name that a search has with a few other letters; null without one.
 * @param isUnknown whether a word of the search may be misspelled, since no event has it.
 */
export function findMisspelledName(
  words: readonly Word[],
  names: PositionsByName,
  isUnknown: (word: Word) => boolean,
): FoundName | null {
  const parts = toParts(words);
  const misspelled = parts
    .filter(({ text }) => text.length >= wordLengthMin)
    .slice(0, misspelledMax)
    .filter(({ word }) => isUnknown(word));
  if (misspelled.length === 0) return null;
  const compared = [...names.keys()]
    .slice(-comparedMax)
    .map((name) => [name, name.split(' ')] as const);
  // Names have many words in common.
  const nearWords = new Set(
    [...new Set(compared.flatMap(([, nameWords]) => nameWords))].filter((word) =>
      misspelled.some(({ text }) => isNear(word, text)),
    ),
  );
  let nearest: FoundName | null = null;
  let least = nameDistanceMax;
  for (const [name, nameWords] of compared) {
    if (!nameWords.some((word) => nearWords.has(word))) continue;
    for (let start = 0; start + nameWords.length <= parts.length; start++) {
      const own = parts.slice(start, start + nameWords.length);
      const distance = toDistance(nameWords, own) / name.length;
      if (distance > least || (distance === least && nearest !== null)) continue;
      [nearest, least] = [{ positions: names.get(name) ?? [], own: toOwn(own) }, distance];
    }
  }
  return nearest;
}

function toDistance(nameWords: readonly string[], parts: readonly Part[]): number {
  let sum = 0;
  for (const [index, word] of nameWords.entries()) {
    const text = parts[index]?.text ?? '';
    if (word === text) continue;
    if (!isNear(word, text)) return Number.POSITIVE_INFINITY;
    sum += leven(word, text);
  }
  return sum;
}

function isNear(word: string, text: string): boolean {
  const most = Math.floor(Math.max(word.length, text.length) * wordDistanceMax);
  if (Math.abs(word.length - text.length) > most) return false;
  return leven(word, text, { maxDistance: most + 1 }) <= most;
}

function toParts(words: readonly Word[]): Part[] {
  return words.flatMap((word) => toNameWords(word.typed).map((text) => ({ text, word })));
}

function toOwn(parts: readonly Part[]): Set<Word> {
  return new Set(parts.map(({ word }) => word));
}
