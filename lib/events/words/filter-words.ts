import { parsePosition, toPositionInWords } from '../model/position.ts';
import { projectTypeNames } from '../model/project-type-names.ts';
import type { EventFormat, EventState, EventStatus } from '../model/schema.ts';
import {
  type EventsQuery,
  type FilterName,
  filterNames,
  withinDefaultKm,
} from '../query/events-query.ts';
import { factFilters } from '../query/fact-filters.ts';
import { parseMaxPrice } from '../query/max-price.ts';
import type { QuickDates } from '../query/quick-dates.ts';
import { toCountryName } from './countries.ts';
import { toDayInWords } from './dates-in-words.ts';

export const statusWords: Readonly<Record<EventStatus, string>> = {
  ongoing: 'On now',
  upcoming: 'Coming up',
  ended: 'Past',
};
export const formatWords: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};
export const stateWords: Readonly<Record<EventState, string>> = {
  scheduled: 'As planned',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  'moved-online': 'Moved online',
};
export const whenWords: Readonly<Record<QuickDates, string>> = {
  today: 'Today',
  tonight: 'Tonight',
  weekend: 'This weekend',
  'next-7-days': 'Next 7 days',
  month: 'This month',
  'next-month': 'Next month',
};
const words: Readonly<Record<string, string>> = {
  ...factFilters.price,
  ...factFilters.audience,
  ...factFilters.hasPlaces,
  ...statusWords,
  ...stateWords,
  ...formatWords,
  ...whenWords,
  ...projectTypeNames,
  Other: 'Other projects',
};

/** One active filter. */
type FilterInWords = Readonly<{ name: FilterName; words: string }>;

/** The active filters in words, in their canonical order: `Online`, `Games or CAD`, `“robot”`. */
export function listFilterWords(filters: EventsQuery): FilterInWords[] {
  return filterNames.flatMap((name) => {
    // It is part of the words of `near`.
    if (name === 'within') return [];
    const values = [filters[name] ?? []].flat().map(String);
    if (values.join('').trim() === '') return [];
    const words = describeFilter(name, values);
    return [
      {
        name,
        words:
          name === 'near' ? `Within ${filters.within ?? withinDefaultKm} km of ${words}` : words,
      },
    ];
  });
}

/** What a feed or a calendar with these filters contains: `Online, Games`; empty without filters. */
export function toFiltersInWords(filters: EventsQuery): string {
  return listFilterWords(filters)
    .map((filter) => filter.words)
    .join(', ');
}

/** The values of a filter in words. */
export function describeFilter(name: FilterName, choices: readonly string[]): string {
  const [value = ''] = choices;
  if (name === 'q') return `“${value.trim()}”`;
  if (name === 'from') return `From ${toDayInWords(value)}`;
  if (name === 'to') return `Until ${toDayInWords(value)}`;
  if (name === 'country') return describeCountry(value);
  if (name === 'near') return describePosition(value);
  if (name === 'maxPrice') return describeMaxPrice(value);
  if (name === 'organizer') return `By ${value.trim()}`;
  if (name === 'city' || name === 'series') return value.trim();
  // `online,both` is what “Online” on a page means.
  const named = choices.length > 1 ? choices.filter((choice) => choice !== 'both') : choices;
  return named.map(toChoiceInWords).join(' or ');
}

/** A value of a filter that has a few of them. */
export function toChoiceInWords(choice: string): string {
  return words[choice] ?? choice;
}

function describeCountry(text: string): string {
  const [, code = '', state] = /^([A-Z]{2})(?:-(.+))?$/i.exec(text.trim()) ?? [];
  if (code === '') return text.trim();
  const country = toCountryName(code.toUpperCase());
  return state === undefined ? country : `${state}, ${country}`;
}

/** `Under €10` of `10EUR`; other texts as they are. */
export function describeMaxPrice(text: string): string {
  const price = parseMaxPrice(text);
  if (price === null) return text;
  const { amount, currency } = price;
  if (currency === null) return `Under ${amount}`;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return `Under ${format.format(amount)}`;
}

function describePosition(text: string): string {
  const position = parsePosition(text);
  return position === null ? text : toPositionInWords(position);
}
