import { isMonth, isMonthInReach, toMonth } from '../model/months.ts';
import { parseDirectoryQuery, readSearchParams, type SearchParams } from './directory-query.ts';
import type { QueryProblem } from './events-query.ts';
import { type Filters, type FilterTexts, toSearch } from './filters.ts';

/** The query of the month view: the month, and the directory's filters except dates. */
export type MonthQuery = Readonly<{
  filters: Filters;
  /** `YYYY-MM`; null for the current month, `invalid` for anything that is no month. */
  month: string | null;
  /** Invalid filters, which are ignored. */
  problems: readonly QueryProblem[];
}>;

export const invalidMonth = 'invalid';

/** Parses the query of the month view. An invalid filter is ignored and reported; an invalid month is a 404. */
export function parseMonthQuery(search: SearchParams): MonthQuery {
  const { filters, problems } = parseDirectoryQuery(withoutDates(search));
  const [month = null, ...more] = [search.month ?? []].flat().filter(Boolean);
  const isValid = more.length === 0 && (month === null || isMonth(month));
  return { filters, problems, month: isValid ? month : invalidMonth };
}

/** The parameters of the month view in a URL's query. */
export function readMonthParams(search: string): SearchParams {
  return withoutDates(readSearchParams(search, ['month']));
}

/** The month that a URL of the month view shows; null if there is no such month. */
export function findMonth(url: string, today: string): string | null {
  const { month } = parseMonthQuery(readMonthParams(url.split('?')[1] ?? ''));
  const shown = month ?? toMonth(today);
  return isMonth(shown) && isMonthInReach(shown, today) ? shown : null;
}

/** The query of the month view with its `?`: the filters in their order, then the month. */
export function toMonthSearch(filters: FilterTexts | Filters, month: string | null): string {
  const { when: _, from: __, to: ___, ...others } = filters;
  const search = toSearch(others);
  if (month === null) return search;
  return `${search}${search === '' ? '?' : '&'}month=${month}`;
}

// The month is the range of dates.
function withoutDates(search: SearchParams): SearchParams {
  const { when: _, from: __, to: ___, page: ____, ...others } = search;
  return others;
}
