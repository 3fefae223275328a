import type { SearchVocabulary } from '../source/search-index.ts';
import type { Days } from './days.ts';
import { findPlace, type PlaceContext, type PlaceMeaning } from './find-place.ts';
import { parseDays, parsePastDays } from './parse-days.ts';
import { findNear, type NearMeaning } from './parse-near.ts';
import { describePhrase, findPhraseMeaning, type PhraseMeaning } from './phrases.ts';
import { isNoiseWord, splitWords, type Word } from './search-words.ts';

/** What a chip says, and the search without its words. */
export type SearchChip = Readonly<{ label: string; rest: string }>;

/** What happens on the days that a search names, if not the whole event. */
export type Occasion = 'start' | 'end' | 'announcement';

/** What words of a search mean. */
export type Meaning =
  | PhraseMeaning
  | PlaceMeaning
  | NearMeaning
  | Readonly<{ kind: 'days'; days: Days; occasion: Occasion | null }>
  /** A folded name. */
  | Readonly<{ kind: 'organizer'; value: string }>;

/** Words of a search that are understood as a filter. */
export type UnderstoodWords = Readonly<{
  meaning: Meaning;
  label: string;
  own: ReadonlySet<Word>;
}>;

/** What a visitor or an agent searches for. */
export type Search = Readonly<{
  understood: readonly UnderstoodWords[];
  /** Folded words that are neither understood nor noise, each once: an event's text has all of them. */
  text: readonly string[];
  words: readonly Word[];
  /**
   * What was understood (`Next weekend, 5–6 Dec`, `Online`, `Lisbon`), and beside that the other words; empty if
   * nothing was understood.
   */
  chips: readonly SearchChip[];
}>;

export type SearchContext = Readonly<{
  /** `YYYY-MM-DD` */
  today: string;
  vocabulary: SearchVocabulary;
  /** Whether the name of an event has a folded word: then it is no day in another language. */
  isName: (word: string) => boolean;
}>;

const phraseWordsMax = 5;
/** `from sat 30 december 2026 to sun 3 january 2027`. */
const dayWordsMax = 12;

/** Parses what people type: days, formats, project types and places, in any order, and words to look for. */
export function parseSearch(q: string, context: SearchContext): Search {
  const all = splitWords(q);
  const near = findNear(all, context.vocabulary);
  const words = all.filter((word) => near?.own.has(word) !== true);
  const understood: UnderstoodWords[] = [];
  const text = new Set<Word>();
  let city: string | null = null;
  for (let start = 0; start < words.length; ) {
    const folded = words.slice(start, start + dayWordsMax).map((word) => word.folded);
    const found = findMeaning(folded, { ...context, city });
    city = found?.meaning.kind === 'city' ? found.meaning.value : null;
    if (found === null) {
      const word = words[start];
      if (word !== undefined && !isNoiseWord(word.folded)) text.add(word);
      start += 1;
    } else {
      const { meaning, label, count } = found;
      understood.push({ meaning, label, own: new Set(words.slice(start, start + count)) });
      start += count;
    }
  }
  if (near !== null) understood.push(near);
  return {
    understood,
    text: [...new Set([...text].map(({ folded }) => folded))],
    words: all,
    chips: toChips(all, understood, text),
  };
}

function toChips(
  words: readonly Word[],
  understood: readonly UnderstoodWords[],
  text: ReadonlySet<Word>,
): SearchChip[] {
  const chips = understood.map(({ label, own }) => ({ label, rest: toRest(words, own) }));
  if (chips.length > 0 && text.size > 0) {
    chips.push({ label: `“${toRest([...text])}”`, rest: toRest(words, text) });
  }
  return chips;
}

/** The search without what means something of these kinds. */
export function dropMeanings(
  { words, understood }: Search,
  kinds: readonly Meaning['kind'][],
): string {
  const dropped = understood.filter(({ meaning }) => kinds.includes(meaning.kind));
  return toRest(words, new Set(dropped.flatMap(({ own }) => [...own])));
}

// What is left of `events in lisbon` without `lisbon` is no search.
function toRest(all: readonly Word[], dropped: ReadonlySet<Word> = new Set()): string {
  const words = all.filter((word) => !dropped.has(word));
  const isNoise = words.every(({ folded }) => isNoiseWord(folded));
  return isNoise ? '' : words.map(({ typed }) => typed).join(' ');
}

type Found = Readonly<{ meaning: Meaning; label: string; count: number }>;

type WordContext = SearchContext & PlaceContext;

/** What the first words mean; the longest phrase wins. */
function findMeaning(words: readonly string[], context: WordContext): Found | null {
  const dated = findOccasion(words, context) ?? findDays(words, context);
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    if (dated !== null && dated.count >= count) break;
    const found = findPhrase(words.slice(0, count).join(' '), words[count], context);
    if (found !== null) return { ...found, count };
  }
  return dated;
}

const occasions: ReadonlyMap<string, Occasion> = new Map([
  ...['start', 'starts', 'starting', 'begins', 'beginning'].map((word) => [word, 'start'] as const),
  ...['ends', 'ending'].map((word) => [word, 'end'] as const),
  ...['announced', 'added', 'new', 'published'].map((word) => [word, 'announcement'] as const),
]);
const occasionWords: Readonly<Record<Occasion, string>> = {
  start: 'Starts',
  end: 'Ends',
  announcement: 'Announced',
};

/** `starts tomorrow`, `announced this week`. */
function findOccasion(words: readonly string[], context: WordContext): Found | null {
  const occasion = occasions.get(words[0] ?? '');
  if (occasion === undefined) return null;
  const isOn = words[1] === 'on' || words[1] === 'in';
  const rest = words.slice(isOn ? 2 : 1);
  const { today } = context;
  const found = occasion === 'announcement' ? parsePastDays(rest, today) : parseDays(rest, today);
  if (found === null) return null;
  const label = `${occasionWords[occasion]}: ${found.label}`;
  return {
    meaning: { kind: 'days', days: found.days, occasion },
    label,
    count: words.length - rest.length + found.count,
  };
}

function findDays(words: readonly string[], { today, isName }: WordContext): Found | null {
  const found = parseDays(words, today, isName);
  if (found === null) return null;
  const { days, label, count } = found;
  return { meaning: { kind: 'days', days, occasion: null }, label, count };
}

function findPhrase(
  phrase: string,
  next: string | undefined,
  context: WordContext,
): Omit<Found, 'count'> | null {
  const meaning = findPhraseMeaning(phrase, next);
  if (meaning !== null) return { meaning, label: describePhrase(meaning) };
  // `or` at the end, behind a city, is Oregon.
  if (isNoiseWord(phrase) && !(next === undefined && context.city !== null)) return null;
  return findOrganizer(phrase, context.vocabulary) ?? findPlace(phrase, context);
}

/** One word may be a word of any event: an organizer of one word is meant only after `by`. */
function findOrganizer(
  phrase: string,
  { organizers }: SearchVocabulary,
): Omit<Found, 'count'> | null {
  const name = phrase.replace(/^by /, '');
  const organizer = organizers.get(name);
  if (organizer === undefined || !phrase.includes(' ')) return null;
  return { meaning: { kind: 'organizer', value: name }, label: `By ${organizer}` };
}
