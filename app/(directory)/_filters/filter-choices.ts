import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import type { FilterName, FilterTexts } from '#lib/events/query/filters.ts';
import { toDayInWords, toShortDays } from '#lib/events/words/dates-in-words.ts';
import { formatWords, stateWords, statusWords, whenWords } from '#lib/events/words/filter-words.ts';

/** A value of a filter, as a visitor reads it. */
export type FilterChoice = Readonly<{
  name: FilterName;
  value: string;
  words: string;
  /** Whether it is offered as a chip even while it is off. */
  isOffered: boolean;
}>;

export const filterChoices: readonly FilterChoice[] = [
  ...toChoices('status', statusWords, false),
  ...toChoices('state', stateWords, false),
  ...toChoices('format', { both: formatWords.both }, false),
  ...toChoices('when', whenWords, true),
  ...toChoices(
    'format',
    { online: formatWords.online, 'in-person': formatWords['in-person'] },
    true,
  ),
  ...toChoices('projectType', projectTypeNames, true),
];

function toChoices(
  name: FilterName,
  names: Readonly<Record<string, string>>,
  isOffered: boolean,
): FilterChoice[] {
  return Object.entries(names).map(([value, words]) => ({ name, value, words, isOffered }));
}

/** The range of days of filters: `5–7 Dec`, `from 5 Dec 2026`; null without one. */
export function toRangeInWords({ from, to }: FilterTexts, today: string): string | null {
  if (from && from === to) return toDayInWords(from);
  if (from && to) return toShortDays({ startDate: from, endDate: to }, today);
  if (from) return `From ${toDayInWords(from)}`;
  return to ? `Until ${toDayInWords(to)}` : null;
}
