import { projectTypeNames } from '../model/project-type-names.ts';
import type { EventFormat, EventState, EventStatus, ProjectType } from '../model/schema.ts';
import {
  describeFilter,
  describeMaxPrice,
  formatWords,
  stateWords,
  statusWords,
} from '../words/filter-words.ts';
import { formatPhrases } from '../words/format-words.ts';
import { parsePrice } from '../words/price.ts';

/** When on a day events start, by their own clocks. */
export type PartOfDay = 'morning' | 'afternoon' | 'evening';

/** What a phrase of a search means, apart from days and places. */
export type PhraseMeaning =
  | Readonly<{ kind: 'format'; value: EventFormat }>
  | Readonly<{ kind: 'projectType'; value: ProjectType }>
  | Readonly<{ kind: 'status'; value: EventStatus }>
  | Readonly<{ kind: 'state'; value: EventState }>
  /** `free`, `paid`, or the most that it may cost, as `maxPrice` has it. */
  | Readonly<{ kind: 'price'; value: string }>
  | Readonly<{ kind: 'fact'; value: keyof typeof meantChoices }>
  | Readonly<{ kind: 'full'; value: 'full' }>
  | Readonly<{ kind: 'beginners'; value: 'beginners' }>
  /** In years. */
  | Readonly<{ kind: 'age'; value: number }>
  | Readonly<{ kind: 'partOfDay'; value: PartOfDay }>
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
  upcoming: ['upcoming', 'coming up', 'next', 'soon'],
  ended: ['past', 'ended'],
};

const states: Readonly<Partial<Record<EventState, readonly string[]>>> = {
  cancelled: ['cancelled', 'canceled', 'called off'],
  postponed: ['postponed'],
  'moved-online': ['moved online'],
};

const prices: Readonly<Record<string, readonly string[]>> = {
  free: ['free', 'for free', 'free of charge', 'free entry'],
  paid: ['paid', 'not free', 'not for free'],
  // In whatever currency.
  10: ['cheap', 'low cost', 'low-cost', 'inexpensive', 'affordable'],
};

const facts: Readonly<Record<keyof typeof meantChoices, readonly string[]>> = {
  audience: [
    'kids',
    'for kids',
    'with kids',
    'kid friendly',
    'kid-friendly',
    'children',
    'for children',
    'with children',
    'child friendly',
    'family',
    'families',
    'for families',
    'for the family',
    'for the whole family',
    'family friendly',
    'family-friendly',
  ],
  hasPlaces: [
    'with places left',
    'places left',
    'with places',
    'spots left',
    'not full',
    'not sold out',
  ],
};

/** What these phrases choose. */
export const meantChoices = { audience: 'kids', hasPlaces: 'true' } as const;

const beginners = [
  'for beginners',
  'beginners',
  'beginner friendly',
  'beginner-friendly',
  'for newcomers',
  'for first-timers',
  'no experience',
];

/** An age that those people have. */
const ages: Readonly<Record<number, readonly string[]>> = {
  15: ['teens', 'for teens', 'teenagers', 'for teenagers'],
  18: ['adults', 'for adults'],
};

const partsOfDay: Readonly<Record<PartOfDay, readonly string[]>> = {
  morning: ['morning', 'in the morning'],
  afternoon: ['afternoon', 'in the afternoon'],
  evening: ['evening', 'in the evening', 'evenings'],
};

/** Folded phrases and what they mean. */
const phraseMeanings: ReadonlyMap<string, PhraseMeaning> = new Map<string, PhraseMeaning>([
  ...toEntries('format', formatPhrases),
  ...toEntries('projectType', types),
  ...toEntries('status', statuses),
  ...toEntries('state', states),
  ...toEntries('price', prices),
  ...toEntries('fact', facts),
  ...toEntries('full', { full: ['sold out', 'fully booked', 'no places left'] }),
  ...toEntries('beginners', { beginners }),
  ...Object.entries(ages).flatMap(([age, words]) =>
    words.map((phrase) => [phrase, { kind: 'age', value: Number(age) }] as const),
  ),
  ...toEntries('partOfDay', partsOfDay),
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

const full: PhraseMeaning = { kind: 'full', value: 'full' };

const agePhrase =
  /^(?:(?:from|age|aged|ages|ab) (\d{1,2})|(?:for )?(\d{1,2})\+|(?:for )?(\d{1,2})[ -]years?[ -]olds?)$/;
/** What follows a time of day: `from 8 pm`. */
const hourWords = /^(?:am|pm|a\.m|p\.m|h|uhr|o'clock|-|to|until|till|or|and)$/;

/** What a folded phrase means; null if it is none. @param next the word that follows it, if there is one. */
export function findPhraseMeaning(phrase: string, next: string | undefined): PhraseMeaning | null {
  // `Is Harbour Hack full?`, but `full stack`.
  if (phrase === 'full') return next === undefined ? full : null;
  const [, ...ages] = agePhrase.exec(phrase) ?? [];
  const age = ages.find((text) => text !== undefined);
  if (age !== undefined && !hourWords.test(next ?? '')) return { kind: 'age', value: Number(age) };
  return phraseMeanings.get(phrase) ?? findPrice(phrase);
}

const priceAmount = /\p{L}{0,2}\p{Sc} ?\d[\d.,]*|\d[\d.,]* ?(?:\p{Sc}|\p{L}+)/u.source;
const pricePhrase = new RegExp(
  `^(?:for )?(?:under|below|less than|cheaper than|up to|at most|max|maximum|no more than) (${priceAmount})$|^(${priceAmount}) (?:or less|or cheaper|maximum|max)$`,
  'u',
);

/** `under €10`, `10 euro or less`; a number alone may be an age. */
function findPrice(phrase: string): PhraseMeaning | null {
  const [, before, behind] = pricePhrase.exec(phrase) ?? [];
  const text = before ?? behind;
  const price = text === undefined ? null : parsePrice(text);
  if (price === null || price.currency === null) return null;
  return { kind: 'price', value: `${price.max}${price.currency}` };
}

/** What a chip says. */
export function describePhrase({ kind, value }: PhraseMeaning): string {
  switch (kind) {
    case 'price':
      return value === 'free' || value === 'paid'
        ? describeFilter('price', [value])
        : describeMaxPrice(value);
    case 'fact':
      return describeFilter(value, [meantChoices[value]]);
    case 'format':
      return formatWords[value];
    case 'status':
      return statusWords[value];
    case 'state':
      return stateWords[value];
    case 'projectType':
      return projectTypeNames[value];
    case 'when':
      return 'Tonight';
    case 'full':
      return 'Full';
    case 'beginners':
      return 'For beginners';
    case 'age':
      return `Age ${value}`;
    case 'partOfDay':
      return `In the ${value}`;
  }
}
