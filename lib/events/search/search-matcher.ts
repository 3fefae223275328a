import type { MarqueeEvent } from '../model/schema.ts';
import { isTonight } from '../query/quick-dates.ts';
import { createDaysTest } from './days.ts';
import { hasWords } from './fold-text.ts';
import { type Meaning, parseSearch, type UnderstoodWords } from './parse-search.ts';
import type { SearchIndex } from './search-index.ts';

/** @param position of the event in its snapshot. */
export type EventTest = (event: MarqueeEvent, position: number) => boolean;

type SearchedSnapshot = Readonly<{ day: string; search: SearchIndex }>;

/**
 * Creates a test of whether an event matches a search: it satisfies all that was understood and its text has the
 * other words, or its name has all the words as typed.
 */
export function createSearchTest(q: string, { day, search }: SearchedSnapshot): EventTest {
  const { understood, text, words } = parseSearch(q, { today: day, cities: search.cities });
  const tests = [
    ...toMeaningTests(understood, { day, search }),
    ...text.map((word) => toTextTest(word, search)),
  ];
  const isMatch: EventTest = (event, position) => tests.every((test) => test(event, position));
  // Without understood words, a name that has all the words is a text that has them.
  if (understood.length === 0) return isMatch;
  return (event, position) => {
    if (isMatch(event, position)) return true;
    const name = search.names[position] ?? '';
    return words.every((word) => hasWords(name, word));
  };
}

/** Scores how much of a search an event matches. What was understood counts more than a word. */
export function createMatchScore(q: string, { day, search }: SearchedSnapshot) {
  const { understood, text } = parseSearch(q, { today: day, cities: search.cities });
  const meanings = toMeaningTests(understood, { day, search });
  const words = text.map((word) => toTextTest(word, search));
  return (event: MarqueeEvent, position: number) => {
    const count = (tests: readonly EventTest[]) =>
      tests.filter((test) => test(event, position)).length;
    return 2 * count(meanings) + count(words);
  };
}

function toMeaningTests(
  understood: readonly UnderstoodWords[],
  snapshot: SearchedSnapshot,
): EventTest[] {
  return [...Map.groupBy(understood, toGroup).values()].map((group) =>
    toAnyTest(group.map(({ meaning }) => toTest(meaning, snapshot))),
  );
}

// `games cad` asks for one of the types, but `december weekend` for days that are both.
function toGroup({ meaning }: UnderstoodWords): unknown {
  return meaning.kind === 'days' ? meaning : meaning.kind;
}

function toAnyTest(tests: readonly EventTest[]): EventTest {
  return (event, position) => tests.some((test) => test(event, position));
}

function toTest(meaning: Meaning, { day, search }: SearchedSnapshot): EventTest {
  switch (meaning.kind) {
    case 'days':
      return createDaysTest(meaning.days);
    case 'format': {
      const { value } = meaning;
      return ({ format }) => format === value || format === 'both';
    }
    case 'projectType':
      return ({ projectTypes }) => projectTypes.includes(meaning.value);
    case 'status':
      return ({ status }) => status === meaning.value;
    case 'when': {
      const isToday = createDaysTest({ isYearly: false, from: day, to: day });
      return (event) => isToday(event) && isTonight(event, day);
    }
    case 'country':
      return (_, position) => search.countries[position] === meaning.value;
    case 'city':
      return (_, position) => hasWords(search.places[position] ?? '', meaning.value);
  }
}

function toTextTest(word: string, { texts }: SearchIndex): EventTest {
  const { stem, forms } = toForms(word);
  if (forms.length === 0) return (_, position) => texts[position]?.includes(word) === true;
  return (_, position) => {
    const text = texts[position] ?? '';
    // Most texts do not have even the stem, so one pass is enough.
    if (!text.includes(stem)) return false;
    return text.includes(word) || forms.some((form) => hasWords(text, form));
  };
}

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
