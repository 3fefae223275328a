import type { EventFormat, EventState, EventStatus } from '../model/schema.ts';
import { type FilterName, type FilterTexts, filterNames } from '../query/filters.ts';
import type { QuickDates } from '../query/quick-dates.ts';
import { toDayInWords } from './dates-in-words.ts';

const statusWords: Readonly<Record<EventStatus, string>> = {
  ongoing: 'On now',
  upcoming: 'Coming up',
  ended: 'Past',
};
const formatWords: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};
const stateWords: Readonly<Record<EventState, string>> = {
  scheduled: 'As planned',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  'moved-online': 'Moved online',
};
const whenWords: Readonly<Record<QuickDates, string>> = {
  today: 'Today',
  weekend: 'This weekend',
  'next-7-days': 'Next 7 days',
  month: 'This month',
};
const words: Readonly<Record<string, string>> = {
  ...statusWords,
  ...stateWords,
  ...formatWords,
  ...whenWords,
  Gamedev: 'Games',
  Other: 'Other projects',
};

/** One active filter. */
export type FilterInWords = Readonly<{ name: FilterName; words: string }>;

/** The active filters in words, in their canonical order: `Online`, `Games or CAD`, `“robot”`. */
export function listFilterWords(filters: FilterTexts): FilterInWords[] {
  return filterNames.flatMap((name) => {
    const value = filters[name];
    return value ? [{ name, words: toWords(name, value) }] : [];
  });
}

function toWords(name: FilterName, value: string): string {
  if (name === 'q') return `“${value}”`;
  if (name === 'from') return `From ${toDayInWords(value)}`;
  if (name === 'to') return `Until ${toDayInWords(value)}`;
  const choices = value.split(',').map((choice) => words[choice] ?? choice);
  return choices.join(' or ');
}
