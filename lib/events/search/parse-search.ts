import type { SearchVocabulary } from '../source/search-index.ts';
import { negations } from '../words/question-words.ts';
import { joinWords } from '../words/split-text.ts';
import type { Days } from './days.ts';
import { findMisspelledName, findName } from './find-names.ts';
import { findPlace, type PlaceContext, type PlaceMeaning, placeKinds } from './find-place.ts';
import { parseDays, parsePastDays } from './parse-days.ts';
import { findNear, type NearMeaning } from './parse-near.ts';
import { describePhrase, findPhraseMeaning, type PhraseMeaning } from './phrases.ts';
import { isKindWord, splitWords, toTitle, type Word } from './search-words.ts';

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
  | Readonly<{ kind: 'organizer' | 'series'; value: string }>
  /** The events of a name. */
  | Readonly<{ kind: 'name'; value: readonly number[] }>
  /** A folded word that no text may have. */
  | Readonly<{ kind: 'text'; value: string }>;

/** Words of a search that are understood as a filter. */
export type UnderstoodWords = Readonly<{
  meaning: Meaning;
  /** Whether it must not hold: `not online`. */
  isNot: boolean;
  label: string;
  own: ReadonlySet<Word>;
}>;

/** Words and what they mean. */
export type ParsedWords = Readonly<{
  words: readonly Word[];
  understood: readonly UnderstoodWords[];
  /** Those that are neither understood nor noise, each once: an event's text has all of them. */
  text: readonly Word[];
}>;

/** What a visitor or an agent searches for. */
export type Search = ParsedWords &
  Readonly<{
    /** The events of a name that stands in it, and the search without that name. */
    named: NamedEvents | null;
  }>;

type NamedEvents = Readonly<{
  name: UnderstoodWords;
  rest: ParsedWords;
  /** The search with the name spelled right; null if it is. */
  corrected: string | null;
}>;

export type SearchContext = Readonly<{
  /** `YYYY-MM-DD` */
  today: string;
  vocabulary: SearchVocabulary;
  positionsByName: ReadonlyMap<string, readonly number[]>;
  /** How the event at a position is called. */
  toName: (position: number) => string;
  /** Whether the name of an event has a folded word: then it is no day in another language. */
  isName: (word: string) => boolean;
  /** Whether the text of an event has a folded word. */
  isKnown: (word: string) => boolean;
}>;

const phraseWordsMax = 5;
/** `from sat 30 december 2026 to sun 3 january 2027`. */
const dayWordsMax = 12;

/** Parses what people type: names, days, formats, project types and places, in any order, and words to look for. */
export function parseSearch(q: string, context: SearchContext): Search {
  const words = splitWords(q);
  const parsed = parseWords(words, context);
  return { ...parsed, named: findNamed(parsed, context) };
}

function findNamed(parsed: ParsedWords, context: SearchContext): Search['named'] {
  const { positionsByName, isKnown, toName } = context;
  const { words } = parsed;
  const isUnknown = (word: Word) => parsed.text.includes(word) && !isKnown(word.plain);
  const exact = findName(words, positionsByName);
  const found = exact ?? findMisspelledName(words, positionsByName, isUnknown);
  if (found === null || !isNameMeant(found.own, parsed)) return null;
  const { own, positions } = found;
  const label = toName(positions[0] ?? 0);
  const [first] = own;
  const isLeft = (word: Word) => word === first || !own.has(word);
  const spelled = words.filter(isLeft).map((word) => (word === first ? label : word.typed));
  return {
    corrected: exact === null ? joinWords(spelled) : null,
    name: { meaning: { kind: 'name', value: positions }, isNot: false, label, own },
    rest: parseWords(
      words.filter((word) => !own.has(word)),
      context,
    ),
  };
}

/** `Game Jam` are words for many events, and so is one word; a name of words that say nothing is a whole search. */
function isNameMeant(own: ReadonlySet<Word>, { words, text }: ParsedWords): boolean {
  const said = [...own].filter(({ isNoise }) => !isNoise);
  if (said.length === 0) return words.length === own.size;
  return own.size > 1 && said.some((word) => text.includes(word));
}

function parseWords(all: readonly Word[], context: SearchContext): ParsedWords {
  const near = findNear(all, context.vocabulary);
  const words = all.filter((word) => near?.own.has(word) !== true);
  const understood: UnderstoodWords[] = [];
  const text: Word[] = [];
  let not: Word | null = null;
  /** The “not” before the last meaning: `not in Ghent or Lisbon`. */
  let lastNot: Word | null = null;
  let city: string | null = null;
  for (let start = 0; start < words.length; ) {
    const [word, ...others] = words.slice(start, start + dayWordsMax);
    if (word === undefined) break;
    const found = findMeaning([word, ...others], { ...context, city });
    const meaning: Labelled | null = found ?? (not === null ? null : toTextMeaning(word, not));
    city = found?.meaning.kind === 'city' ? found.meaning.value : null;
    const count = found?.count ?? 1;
    start += count;
    if (meaning !== null) {
      const own = [word, ...others].slice(0, count);
      const isPlain: boolean =
        not !== null && isPlainNo(not, words[start - count - 1], meaning.meaning);
      lastNot = isPlain ? null : not;
      understood.push(toUnderstood(meaning, own, lastNot));
      not = null;
    } else if (negations.has(word.english)) not = word;
    else if (word.english === 'excepted') negateLast(understood, word);
    else if (alternatives.has(word.english)) not = lastNot;
    else if (!word.isNoise) {
      // `No Limits`, but `no kids`.
      text.push(...(not === null ? [] : [not]), word);
      not = null;
    }
  }
  if (near !== null) {
    const before = all[all.findIndex((word) => near.own.has(word)) - 1];
    const isNot = before !== undefined && negations.has(before.english);
    understood.push(toUnderstood(near, [...near.own], isNot ? before : null));
  }
  return { words: all, understood, text: toText(text, all, understood, context) };
}

const alternatives: ReadonlySet<string> = new Set(['or', 'nor']);
/** Before a word that is no filter, they belong to it. */
const softNegations: ReadonlySet<string> = new Set(['no', 'nothing']);

/** What an event may not say. */
function toTextMeaning(word: Word, not: Word): Labelled | null {
  const isNone = word.isNoise || negations.has(word.english) || alternatives.has(word.english);
  if (isNone || softNegations.has(not.english)) return null;
  return { meaning: { kind: 'text', value: word.plain }, label: `“${word.typed}”` };
}

/** What is called by a name. */
const names: ReadonlySet<Meaning['kind']> = new Set([
  'city',
  'country',
  'days',
  'organizer',
  'region',
  'series',
  'worldPart',
]);

/** In Portuguese, `no` is “in the”: `no Porto`. */
function isPlainNo(not: Word, before: Word | undefined, { kind }: Meaning): boolean {
  return not === before && not.english === 'no' && (kind === 'days' || placeKinds.has(kind));
}

type Labelled = Readonly<{ meaning: Meaning; label: string }>;

function toUnderstood(
  { meaning, label }: Labelled,
  own: readonly Word[],
  not: Word | null,
): UnderstoodWords {
  if (not === null) return { meaning, isNot: false, label, own: new Set(own) };
  const isName = names.has(meaning.kind) || /^\p{Lu}{2}/u.test(label);
  const first = isName ? label.charAt(0) : label.charAt(0).toLowerCase();
  return {
    meaning,
    isNot: true,
    label: `Not ${first}${label.slice(1)}`,
    own: new Set([not, ...own]),
  };
}

/** Some languages have “not” behind what it is about. */
function negateLast(understood: UnderstoodWords[], word: Word): void {
  const last = understood.pop();
  if (last !== undefined) understood.push(toUnderstood(last, [...last.own], word));
}

/** Each word once. `hackathon` alone is looked for where an event says so; beside others, all events are. */
function toText(
  text: readonly Word[],
  all: readonly Word[],
  understood: readonly UnderstoodWords[],
  { isKnown }: SearchContext,
): Word[] {
  if (text.length > 0 || understood.length > 0) {
    return [...new Map(text.map((word) => [word.plain, word])).values()];
  }
  return all.filter((word) => isKindWord(word) && isKnown(word.plain)).slice(0, 1);
}

/**
 * What was understood (`Next weekend, 5–6 Dec`, `Online`, `Lisbon`), and beside that the other words; empty if
 * nothing was understood.
 */
export function toChips({ words, understood, text }: ParsedWords): SearchChip[] {
  const chips = understood.map(({ label, own }) => ({ label, rest: dropWords(words, own) }));
  if (chips.length > 0 && text.length > 0) {
    chips.push({ label: `“${joinTyped(text)}”`, rest: dropWords(words, new Set(text)) });
  }
  return chips;
}

/** A search without some of its words. What is left of `events in lisbon` without `lisbon` is no search. */
export function dropWords(all: readonly Word[], dropped: ReadonlySet<Word>): string {
  const words = all.filter((word) => !dropped.has(word));
  return words.every(({ isNoise }) => isNoise) ? '' : joinTyped(words);
}

/** Words as they were typed. */
export function joinTyped(words: readonly Word[]): string {
  return joinWords(words.map(({ typed }) => typed));
}

type Found = Labelled & Readonly<{ count: number }>;

type WordContext = SearchContext & PlaceContext;

/** What the first words mean; the longest phrase wins. */
function findMeaning(words: readonly Word[], context: WordContext): Found | null {
  const english = words.map((word) => word.english);
  const dated = findOccasion(english, context) ?? findDays(english, context);
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    if (dated !== null && dated.count >= count) break;
    const found = findPhrase(words.slice(0, count), english[count], context);
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
  words: readonly Word[],
  next: string | undefined,
  context: WordContext,
): Labelled | null {
  const phrase = joinWords(words.map(({ plain }) => plain));
  const english = joinWords(words.map((word) => word.english));
  // Formats have words of many languages.
  const meaning = findPhraseMeaning(english, next) ?? findPhraseMeaning(phrase, next);
  if (meaning !== null) return { meaning, label: describePhrase(meaning) };
  // `or` at the end, behind a city, is Oregon.
  const isCode = next === undefined && context.city !== null;
  if (words.length === 1 && words[0]?.isNoise === true && !isCode) return null;
  const group = findGroup(phrase, words.length > 1, context.vocabulary);
  const place = group ?? findPlace(phrase, context);
  return place && { meaning: place.meaning, label: place.label ?? toTitle(joinTyped(words)) };
}

/** One word may be a word of any event: an organizer or a series of one word is meant only after `by`. */
function findGroup(
  phrase: string,
  isLong: boolean,
  { organizers, series }: SearchVocabulary,
): Labelled | null {
  if (!isLong) return null;
  const name = phrase.replace(/^by /, '');
  const organizer = organizers.get(name);
  if (organizer !== undefined) {
    return { meaning: { kind: 'organizer', value: name }, label: `By ${organizer}` };
  }
  const label = series.get(phrase);
  return label === undefined ? null : { meaning: { kind: 'series', value: phrase }, label };
}
