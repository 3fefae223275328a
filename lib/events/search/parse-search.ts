import { formatPhrases } from '../model/choices.ts';
import { projectTypeNames } from '../model/project-type-names.ts';
import type { EventFormat, EventStatus, ProjectType } from '../model/schema.ts';
import { type FactFilter, factFilterNames, factFilters } from '../query/fact-filters.ts';
import { listCityKeys } from '../words/cities.ts';
import { toCountryName } from '../words/countries.ts';
import { formatWords, statusWords, whenWords } from '../words/filter-words.ts';
import { parseCountry, parseCountryName } from '../words/parse-country.ts';
import { listRegions, type Region } from '../words/regions.ts';
import { findWorldPart, type WorldPart } from '../words/world-parts.ts';
import type { Days, ParsedDays } from './days.ts';
import { findForeignPhrase, toEnglishPhrase, translateDays } from './foreign-days.ts';
import { parseDays } from './parse-days.ts';
import type { SearchVocabulary } from './search-index.ts';
import { isNoiseWord, splitWords, type Word } from './search-words.ts';

/** What a phrase of a search means, apart from days and places. */
type PhraseMeaning =
  | Readonly<{ kind: 'format'; value: EventFormat }>
  | Readonly<{ kind: 'projectType'; value: ProjectType }>
  | Readonly<{ kind: 'status'; value: EventStatus }>
  | Readonly<{ kind: 'fact'; value: FactFilter }>
  /** As `when=tonight`; other named days are parsed as days. */
  | Readonly<{ kind: 'when'; value: 'tonight' }>;

const types: Readonly<Partial<Record<ProjectType, readonly string[]>>> = {
  Electronics: ['electronics', 'hardware'],
  Websites: ['websites', 'website', 'web'],
  Software: ['software'],
  Gamedev: [
    'gamedev',
    'games',
    'game',
    'video games',
    'video game',
    'game jams',
    'game jam',
    'game development',
    'game dev',
  ],
  CAD: ['cad', '3d design', '3d printing'],
};

const statuses: Readonly<Record<EventStatus, readonly string[]>> = {
  ongoing: ['ongoing', 'on now', 'right now', 'now'],
  upcoming: ['upcoming', 'coming up'],
  ended: ['past', 'ended'],
};

/** Folded phrases and what they mean. */
const phraseMeanings: ReadonlyMap<string, PhraseMeaning> = new Map([
  ...toEntries('format', formatPhrases),
  ...toEntries('projectType', types),
  ...toEntries('status', statuses),
  ...factFilterNames.flatMap((value) => toEntries('fact', { [value]: factFilters[value].phrases })),
  ...toEntries('when', { tonight: ['tonight', 'this evening'] }),
]);

function toEntries(
  kind: PhraseMeaning['kind'],
  phrases: Readonly<Record<string, readonly string[]>>,
) {
  return Object.entries(phrases).flatMap(([value, words]) =>
    words.map((phrase) => [phrase, { kind, value } as PhraseMeaning] as const),
  );
}

/** What a chip says, and the search without its words. */
export type SearchChip = Readonly<{ label: string; rest: string }>;

/** What words of a search mean. */
export type Meaning =
  | PhraseMeaning
  | Readonly<{ kind: 'days'; days: Days }>
  /** A folded name, or the code of a country. */
  | Readonly<{ kind: 'country' | 'organizer'; value: string }>
  | Readonly<{ kind: 'city'; value: string; keys: readonly string[] }>
  | Readonly<{ kind: 'region'; value: readonly Region[] }>
  | Readonly<{ kind: 'worldPart'; value: WorldPart }>;

/** Words of a search that are understood as a filter. */
export type UnderstoodWords = SearchChip & Readonly<{ meaning: Meaning }>;

/** What a visitor or an agent searches for. */
export type Search = Readonly<{
  understood: readonly UnderstoodWords[];
  /** Folded words that are neither understood nor noise: an event's text has all of them. */
  text: readonly string[];
  /** All words as typed, folded. */
  words: readonly string[];
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
  const words = splitWords(q);
  const understood: UnderstoodWords[] = [];
  const text: Word[] = [];
  for (let start = 0; start < words.length; ) {
    const folded = words.slice(start, start + dayWordsMax).map((word) => word.folded);
    const found = findMeaning(folded, context);
    if (found === null) {
      const word = words[start];
      if (word !== undefined && !isNoiseWord(word.folded)) text.push(word);
      start += 1;
    } else {
      const { meaning, label, count } = found;
      const others = [...words.slice(0, start), ...words.slice(start + count)];
      understood.push({ meaning, label, rest: toRest(others) });
      start += count;
    }
  }
  const chips = understood.map(({ label, rest }) => ({ label, rest }));
  if (chips.length > 0 && text.length > 0) {
    const rest = toRest(words.filter((word) => !text.includes(word)));
    chips.push({ label: `“${toRest(text)}”`, rest });
  }
  return {
    understood,
    text: text.map(({ folded }) => folded),
    words: words.map(({ folded }) => folded),
    chips,
  };
}

// What is left of `events in lisbon` without `lisbon` is no search.
function toRest(words: readonly Word[]): string {
  const isNoise = words.every(({ folded }) => isNoiseWord(folded));
  return isNoise ? '' : words.map(({ typed }) => typed).join(' ');
}

type Found = Readonly<{ meaning: Meaning; label: string; count: number }>;

/** What the first words mean; the longest phrase wins. */
function findMeaning(words: readonly string[], context: SearchContext): Found | null {
  const dated = findDays(words, context);
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    if (dated !== null && dated.count >= count) break;
    const found = findPhrase(words.slice(0, count).join(' '), context);
    if (found !== null) return { ...found, count };
  }
  return (
    dated && { meaning: { kind: 'days', days: dated.days }, label: dated.label, count: dated.count }
  );
}

/** Days in English, or in another language unless an event's name has the word. */
function findDays(words: readonly string[], { today, isName }: SearchContext): ParsedDays | null {
  const english = parseDays(words, today);
  if (english !== null) return english;
  const phrase = findForeignPhrase(words);
  const named = phrase === null ? null : parseDays(phrase.english.split(' '), today);
  const found =
    phrase !== null && named !== null
      ? { ...named, count: phrase.count }
      : parseDays(translateDays(words), today);
  return found === null || words.slice(0, found.count).some(isName) ? null : found;
}

function findPhrase(phrase: string, context: SearchContext): Omit<Found, 'count'> | null {
  const meaning = phraseMeanings.get(toEnglishPhrase(phrase));
  if (meaning !== undefined) return { meaning, label: toLabel(meaning) };
  if (isNoiseWord(phrase)) return null;
  const organizer = findOrganizer(phrase, context.vocabulary);
  if (organizer !== null) return organizer;
  return findPlace(phrase, context);
}

/** Shorter ones, and those with a letter of their own (“i ran”), may be other words. */
const isForeignName = /^(?!(?:.*\s)?\p{L}(?:\s|$)).{5,}$/u;

/** A city of events, however it is spelled; a state, a country, or a part of the world. */
function findPlace(
  phrase: string,
  { vocabulary, isName }: SearchContext,
): Omit<Found, 'count'> | null {
  const city = vocabulary.cities.get(phrase);
  const keys = listCityKeys(phrase).filter((key) => vocabulary.citiesByKey.has(key));
  const [key] = keys;
  if (city !== undefined || (key !== undefined && isForeignName.test(phrase))) {
    const label = city ?? vocabulary.citiesByKey.get(key ?? '') ?? phrase;
    return { meaning: { kind: 'city', value: phrase, keys }, label };
  }
  const regions = phrase.length > 3 ? listRegions(phrase) : [];
  if (regions.length > 0)
    return { meaning: { kind: 'region', value: regions }, label: toTitle(phrase) };
  const part = findWorldPart(phrase);
  if (part !== null) return { meaning: { kind: 'worldPart', value: part }, label: part.name };
  const country = parseCountryName(phrase) ?? findForeignCountry(phrase, isName);
  if (country === null) return null;
  return { meaning: { kind: 'country', value: country }, label: toCountryName(country) };
}

// Names of all events are looked through, so only for a word that is a country’s.
function findForeignCountry(phrase: string, isName: SearchContext['isName']): string | null {
  const country = isForeignName.test(phrase) ? parseCountry(phrase) : null;
  return country === null || isName(phrase) ? null : country;
}

function toTitle(phrase: string): string {
  return phrase.replace(/(?:^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
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

function toLabel({ kind, value }: PhraseMeaning): string {
  if (kind === 'fact') return factFilters[value].words;
  if (kind === 'format') return formatWords[value];
  if (kind === 'when') return whenWords[value];
  return kind === 'status' ? statusWords[value] : projectTypeNames[value];
}
