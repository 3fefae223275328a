import type { EventDates } from '../model/dates.ts';
import { toDistanceKm } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { parseMaxPrice } from '../query/max-price.ts';
import { isTonight } from '../query/quick-dates.ts';
import type { SearchIndex } from '../source/search-index.ts';
import { hasWordStart, hasWords } from '../words/fold-text.ts';
import { isInTerritory } from '../words/territories.ts';
import { createDaysTest } from './days.ts';
import {
  type Meaning,
  type Occasion,
  type ParsedWords,
  parseSearch,
  type UnderstoodWords,
} from './parse-search.ts';
import { meantChoices, type PartOfDay } from './phrases.ts';
import type { Word } from './search-words.ts';

/** @param position of the event in its snapshot. */
export type EventTest = (event: MarqueeEvent, position: number) => boolean;

type SearchedSnapshot = Readonly<{
  day: string;
  events: readonly MarqueeEvent[];
  search: SearchIndex;
}>;

/** A search, as it was understood of the events of a snapshot. */
export type UnderstoodSearch = ParsedWords &
  Readonly<{
    /** Which events it finds. */
    test: EventTest;
    /** Whether the text of an event has a word. */
    isKnown: (word: Word) => boolean;
    /** The search with a name of events spelled right; null without a misspelled one. */
    corrected: string | null;
  }>;

// What is asked about a query is asked several times: which events, in which order, what comes closest.
const searches = new WeakMap<SearchedSnapshot, Map<string, UnderstoodSearch>>();
const searchesMax = 30;

/** Understands a search, once for a snapshot. */
export function understandSearch(snapshot: SearchedSnapshot, q: string): UnderstoodSearch {
  const known = searches.get(snapshot) ?? new Map<string, UnderstoodSearch>();
  searches.set(snapshot, known);
  const search = known.get(q) ?? understand(snapshot, q);
  if (known.size >= searchesMax) known.clear();
  known.set(q, search);
  return search;
}

/**
 * A name that stands in a search wins: of the events that are called so, those are found that satisfy the rest of it,
 * or all of them, since `is Harbour Hack full?` asks about that event whether it is full or not.
 */
function understand(snapshot: SearchedSnapshot, q: string): UnderstoodSearch {
  const { day, search, events } = snapshot;
  const names: KnownWords = new Map();
  const isKnownWord = (word: string) => isInTexts(word, search);
  const { named, ...parsed } = parseSearch(q, {
    today: day,
    vocabulary: search.vocabulary,
    positionsByName: search.positionsByName,
    toName: (position) => events[position]?.name ?? '',
    isName: (word) =>
      remember(word, names, () => search.names.some((name) => hasWords(name, word))),
    isKnown: isKnownWord,
  });
  const test = createTest(parsed, snapshot);
  const isKnown = ({ plain }: Word) => isKnownWord(plain);
  if (named === null) return { ...parsed, test, isKnown, corrected: null };
  const { name, rest, corrected } = named;
  const isCalledSo = toTest(name.meaning, snapshot);
  const isRest = createTest(rest, snapshot);
  const both: EventTest = (event, position) =>
    isCalledSo(event, position) && isRest(event, position);
  const { words } = parsed;
  if (events.some(both)) {
    const understood = [name, ...rest.understood];
    return { words, understood, text: rest.text, test: both, isKnown, corrected };
  }
  return {
    words,
    understood: [name],
    text: [],
    test: (event, position) => isCalledSo(event, position) || test(event, position),
    isKnown,
    corrected,
  };
}

type KnownWords = Map<string, boolean>;

// All texts are looked through for a word, so once.
const wordsOfTexts = new WeakMap<SearchIndex, KnownWords>();
const knownWordsMax = 1_000;

function isInTexts(word: string, search: SearchIndex): boolean {
  const known = wordsOfTexts.get(search) ?? new Map<string, boolean>();
  wordsOfTexts.set(search, known);
  return remember(word, known, () => {
    const hasWord = toTextTest(word, search);
    return search.texts.some((_, position) => hasWord(position));
  });
}

function remember(word: string, known: KnownWords, find: () => boolean): boolean {
  const found = known.get(word) ?? find();
  if (known.size >= knownWordsMax) known.clear();
  known.set(word, found);
  return found;
}

/**
 * Creates a test of whether an event satisfies all that was understood and its text has the other words, or its name
 * has all the words.
 */
function createTest(parsed: ParsedWords, snapshot: SearchedSnapshot): EventTest {
  const { search } = snapshot;
  const { understood, text, words } = parsed;
  const tests = [
    ...toMeaningTests(understood, snapshot),
    ...text.map(({ plain }) => toEventTest(toTextTest(plain, search))),
  ];
  const isMatch: EventTest = (event, position) => tests.every((test) => test(event, position));
  // Without understood words, a name that has all the words is a text that has them.
  if (understood.length === 0) return isMatch;
  const isNamed = createNameTest(words, search);
  return (event, position) => isMatch(event, position) || isNamed(position);
}

/** `web summit lisbon`: all words are in an event's name or, but for one, in its place or organizer. */
function createNameTest(words: readonly Word[], { names, places, organizers }: SearchIndex) {
  const said = words.filter(({ isNoise }) => !isNoise);
  // A name may be made of them: “This Is It”.
  const wanted = new Set((said.length === 0 ? words : said).map(({ plain }) => plain));
  return (position: number) => {
    const name = names[position] ?? '';
    const others = [places[position] ?? '', organizers[position] ?? ''];
    let isInName = false;
    for (const word of wanted) {
      if (hasWords(name, word)) isInName = true;
      else if (!others.some((text) => hasWords(text, word))) return false;
    }
    return isInName;
  };
}

function toEventTest(test: (position: number) => boolean): EventTest {
  return (_, position) => test(position);
}

function toMeaningTests(
  understood: readonly UnderstoodWords[],
  snapshot: SearchedSnapshot,
): EventTest[] {
  // The same words twice are one condition.
  const different = new Map(
    understood.map((words) => [`${words.meaning.kind} ${words.label}`, words] as const),
  );
  return [...Map.groupBy(different.values(), toGroup).values()].map((group) =>
    toAnyTest(
      group.map(({ meaning, isNot }) =>
        isNot ? toNotTest(meaning, snapshot) : toTest(meaning, snapshot),
      ),
    ),
  );
}

/** What is not known of an event is neither. */
function toNotTest(meaning: Meaning, snapshot: SearchedSnapshot): EventTest {
  const { formats, facts } = snapshot.search;
  const test = toTest(meaning, snapshot);
  return (event, position) => {
    if (meaning.kind === 'format' && formats[position] === null) return false;
    if (meaning.kind === 'price' && facts.price[position] === null) return false;
    return !test(event, position);
  };
}

// `games cad` asks for one of the types, but `december weekend` for days that are both, and `free for kids` for both.
const isAll: ReadonlySet<Meaning['kind']> = new Set(['days', 'fact', 'near', 'text']);

function toGroup({ meaning, isNot }: UnderstoodWords): unknown {
  return isNot || isAll.has(meaning.kind) ? meaning : meaning.kind;
}

function toAnyTest(tests: readonly EventTest[]): EventTest {
  return (event, position) => tests.some((test) => test(event, position));
}

function toTest(meaning: Meaning, { day, search }: SearchedSnapshot): EventTest {
  switch (meaning.kind) {
    case 'days': {
      const { occasion, days } = meaning;
      const isOn = createDaysTest(days, day);
      return occasion === null ? isOn : (event) => isOn(toOneDay(event, occasion));
    }
    case 'state':
      return ({ state }) => state === meaning.value;
    case 'age':
      return (_, position) => {
        const ages = search.ages[position] ?? null;
        return ages !== null && ages.from <= meaning.value && meaning.value <= ages.to;
      };
    case 'beginners':
      return (_, position) => search.isForBeginners[position] === true;
    case 'full':
      return ({ placesLeft }) => placesLeft === 0;
    case 'partOfDay':
      return (event) => isInPartOfDay(event, meaning.value);
    case 'near': {
      const { center, km } = meaning.value;
      return (_, position) => {
        const place = search.positions[position] ?? null;
        return place !== null && toDistanceKm(center, place) <= km;
      };
    }
    case 'format': {
      return (_, position) => {
        const format = search.formats[position] ?? null;
        return format === meaning.value || format === 'both';
      };
    }
    case 'projectType':
      return ({ projectTypes }) => projectTypes.includes(meaning.value);
    case 'price': {
      const { value } = meaning;
      if (value !== 'free' && value !== 'paid') return createPriceTest(value);
      return (_, position) => search.facts.price[position] === value;
    }
    case 'name': {
      const positions = new Set(meaning.value);
      return (_, position) => positions.has(position);
    }
    case 'text':
      return toEventTest(toTextTest(meaning.value, search));
    case 'fact':
      return (_, position) => search.facts[meaning.value][position] === meantChoices[meaning.value];
    case 'organizer':
      return (_, position) => search.organizers[position] === meaning.value;
    case 'series':
      return (_, position) => search.series[position] === meaning.value;
    case 'status':
      return ({ status }) => status === meaning.value;
    case 'when': {
      const isToday = createDaysTest({ isYearly: false, from: day, to: day }, day);
      return (event) => isToday(event) && isTonight(event, day);
    }
    case 'city':
      return (_, position) =>
        hasWords(search.places[position] ?? '', meaning.value) ||
        meaning.keys.includes(search.cityKeys[position] ?? '');
    case 'country':
    case 'region':
    case 'worldPart':
      return (_, position) => {
        const country = search.countries[position] ?? null;
        const region = search.regions[position] ?? null;
        return isInTerritory(meaning.value, { country, region });
      };
  }
}

/** Whether an event costs this much or less, by its lowest price. */
export function createPriceTest(maxPrice: string): EventTest {
  const { amount = 0, currency = null } = parseMaxPrice(maxPrice) ?? {};
  return ({ priceRange }) => {
    if (priceRange === null || priceRange.min > amount) return false;
    return currency === null || priceRange.currency === currency || priceRange.max === 0;
  };
}

/** The only day that counts of an event. An open-ended one has no end. */
function toOneDay(event: MarqueeEvent, occasion: Occasion): EventDates {
  const { startDate, endDate, announcedAt } = event;
  const days = { start: startDate, end: endDate ?? '', announcement: announcedAt.slice(0, 10) };
  return { startDate: days[occasion], endDate: days[occasion] };
}

/** Hours at which something starts; the evening also has what ends in it. */
const hours: Readonly<Record<PartOfDay, readonly [from: string, to: string]>> = {
  morning: ['05:00', '12:00'],
  afternoon: ['12:00', '17:00'],
  evening: ['17:00', '24:00'],
};

function isInPartOfDay({ startsAt, endsAt }: MarqueeEvent, part: PartOfDay): boolean {
  const [from, to] = hours[part];
  // Moments are written with the clock time of the event's zone.
  const start = startsAt?.slice(11, 16) ?? '';
  const end = endsAt?.slice(11, 16) ?? '';
  return (start >= from && start < to) || (part === 'evening' && end > '18:00');
}

/** Whether the text at a position has a word, or another form of it. */
function toTextTest(word: string, { texts }: SearchIndex): (position: number) => boolean {
  // `ai` is in “rain” and `it` in most texts, and the dot of `.net` says where a word begins.
  if (word.length <= shortWordMax || /[^\p{L}\p{M}]/u.test(word)) {
    return (position) => hasWordStart(texts[position] ?? '', word);
  }
  const { stem, forms } = toForms(word);
  if (forms.length === 0) return (position) => texts[position]?.includes(word) === true;
  return (position) => {
    const text = texts[position] ?? '';
    // Most texts do not have even the stem, so one pass is enough.
    if (!text.includes(stem)) return false;
    return text.includes(word) || forms.some((form) => hasWords(text, form));
  };
}

const shortWordMax = 3;

/**
 * Other forms of a word, and the letters that all of them begin with. `robots` also finds `robot`, but no longer word
 * with these letters; `battery` also finds `batteries`.
 */
function toForms(word: string): Readonly<{ stem: string; forms: readonly string[] }> {
  const toStem = (ending: number) => word.slice(0, -ending);
  if (!/^[a-z]{4,}$/.test(word)) return { stem: word, forms: [] };
  if (word.endsWith('ies')) return { stem: toStem(3), forms: [`${toStem(3)}y`] };
  if (/[^aeiou]y$/.test(word)) return { stem: toStem(1), forms: [`${toStem(1)}ies`] };
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return { stem: toStem(2), forms: [toStem(2), toStem(1)] };
  return /[^s]s$/.test(word) ? { stem: toStem(1), forms: [toStem(1)] } : { stem: word, forms: [] };
}
