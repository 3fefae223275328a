import { formatPhrases } from '../model/choices.ts';
import { projectTypeNames } from '../model/project-type-names.ts';
import type { EventFormat, EventStatus, ProjectType } from '../model/schema.ts';
import { toCountryName } from '../words/countries.ts';
import { formatWords, statusWords, whenWords } from '../words/filter-words.ts';
import { parseCountryName } from '../words/parse-country.ts';
import type { Days } from './days.ts';
import { foldText } from './fold-text.ts';
import { parseDays } from './parse-days.ts';

/** What a phrase of a search means, apart from days and places. */
type PhraseMeaning =
  | Readonly<{ kind: 'format'; value: EventFormat }>
  | Readonly<{ kind: 'projectType'; value: ProjectType }>
  | Readonly<{ kind: 'status'; value: EventStatus }>
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

/** Words that say nothing about which event: everything here is an event, and the headline calls them hackathons. */
const noiseWords: ReadonlySet<string> = new Set(
  [
    'event events hackathon hackathons',
    'a an the and or & - of for to with by from in at on near around about',
    "what what's what’s whats which where when is are there any some can i we me join attend happening",
  ]
    .join(' ')
    .split(' '),
);

/** What a chip says, and the search without its words. */
export type SearchChip = Readonly<{ label: string; rest: string }>;

/** What words of a search mean. */
export type Meaning =
  | PhraseMeaning
  | Readonly<{ kind: 'days'; days: Days }>
  /** A folded name, or the code of a country. */
  | Readonly<{ kind: 'city' | 'country'; value: string }>;

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
  /** Cities that events take place in, as they are written. */
  cities: readonly string[];
}>;

type Word = Readonly<{ typed: string; folded: string }>;

const phraseWordsMax = 5;
/** `from sat 30 december 2026 to sun 3 january 2027`. */
const dayWordsMax = 12;

/** Parses what people type: days, formats, project types and places, in any order, and words to look for. */
export function parseSearch(q: string, context: SearchContext): Search {
  const words = splitWords(q);
  const citiesByName = indexCities(context.cities);
  const understood: UnderstoodWords[] = [];
  const text: Word[] = [];
  for (let start = 0; start < words.length; ) {
    const folded = words.slice(start, start + dayWordsMax).map((word) => word.folded);
    const found = findMeaning(folded, { today: context.today, citiesByName });
    if (found === null) {
      const word = words[start];
      if (word !== undefined && !noiseWords.has(word.folded)) text.push(word);
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

// Punctuation around a word is no part of it, but that in `c++` and `.net` is.
function splitWords(q: string): Word[] {
  return q
    .split(/[\s,;]+/)
    .map((typed) => ({
      typed,
      folded: foldText(typed)
        .replace(/[–—−]/g, '-')
        .replace(/^["'“‘„(¿¡]+|["'”’)?!.:…]+$/g, ''),
    }))
    .filter(({ folded }) => folded !== '');
}

// What is left of `events in lisbon` without `lisbon` is no search.
function toRest(words: readonly Word[]): string {
  const isNoise = words.every(({ folded }) => noiseWords.has(folded));
  return isNoise ? '' : words.map(({ typed }) => typed).join(' ');
}

type Vocabulary = Readonly<{ today: string; citiesByName: ReadonlyMap<string, string> }>;
type Found = Readonly<{ meaning: Meaning; label: string; count: number }>;

/** What the first words mean; the longest phrase wins. */
function findMeaning(words: readonly string[], vocabulary: Vocabulary): Found | null {
  const dated = parseDays(words, vocabulary.today);
  for (let count = Math.min(phraseWordsMax, words.length); count > 0; count--) {
    if (dated !== null && dated.count >= count) break;
    const found = findPhrase(words.slice(0, count).join(' '), vocabulary);
    if (found !== null) return { ...found, count };
  }
  return (
    dated && { meaning: { kind: 'days', days: dated.days }, label: dated.label, count: dated.count }
  );
}

function findPhrase(phrase: string, { citiesByName }: Vocabulary): Omit<Found, 'count'> | null {
  const meaning = phraseMeanings.get(phrase);
  if (meaning !== undefined) return { meaning, label: toLabel(meaning) };
  if (noiseWords.has(phrase)) return null;
  const city = citiesByName.get(phrase);
  if (city !== undefined) return { meaning: { kind: 'city', value: phrase }, label: city };
  const country = parseCountryName(phrase);
  if (country === null) return null;
  return { meaning: { kind: 'country', value: country }, label: toCountryName(country) };
}

function toLabel({ kind, value }: PhraseMeaning): string {
  if (kind === 'format') return formatWords[value];
  if (kind === 'when') return whenWords[value];
  return kind === 'status' ? statusWords[value] : projectTypeNames[value];
}

const indexedCities = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

// One list for each snapshot.
function indexCities(cities: readonly string[]): ReadonlyMap<string, string> {
  const indexed =
    indexedCities.get(cities) ??
    new Map(cities.map((city) => [foldText(city).replace(/\s+/g, ' '), city]));
  indexedCities.set(cities, indexed);
  return indexed;
}
