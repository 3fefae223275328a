import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import type { FilterName, FilterTexts } from '#lib/events/query/filters.ts';
import { toDayInWords, toShortDays } from '#lib/events/view/dates-in-words.ts';

/** A value of a filter, as a visitor reads it. */
export type FilterChoice = Readonly<{
  name: FilterName;
  value: string;
  words: string;
  /** Whether it is offered as a chip even while it is off. */
  isOffered: boolean;
}>;

export const statusNames = { ongoing: 'On now', upcoming: 'Coming up', ended: 'Past' };

const stateNames = {
  scheduled: 'As planned',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  'moved-online': 'Moved online',
};

const quickDateNames = {
  today: 'Today',
  weekend: 'This weekend',
  'next-7-days': 'Next 7 days',
  month: 'This month',
};

const placeNames = { online: 'Online', 'in-person': 'In person' };

export const filterChoices: readonly FilterChoice[] = [
  ...toChoices('status', statusNames, false),
  ...toChoices('state', stateNames, false),
  ...toChoices('format', { both: 'In person and online' }, false),
  ...toChoices('when', quickDateNames, true),
  ...toChoices('format', placeNames, true),
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
  if (from && to) return toShortDays({ startDate: from, endDate: to }, today);
  if (from) return `From ${toDayInWords(from)}`;
  return to ? `Until ${toDayInWords(to)}` : null;
}
