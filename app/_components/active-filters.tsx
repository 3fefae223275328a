import {
  type EventsQuery,
  formatQuery,
  withoutFilters,
  withSearch,
} from '#lib/events/query/events-query.ts';
import type { SearchChip } from '#lib/events/search/parse-search.ts';
import { listFilterWords } from '#lib/events/words/filter-words.ts';
import { Icon } from './icon.tsx';
import './chip.css';

type ActiveFiltersProps = Readonly<{
  filters: EventsQuery;
  /** What was understood of the search. */
  searchChips: readonly SearchChip[];
  /** The URL of the same page with other filters. */
  toHref: (filters: EventsQuery) => string;
}>;

/** The filters that are on, each with a link that removes it. */
export function ActiveFilters({ filters, searchChips, toHref }: ActiveFiltersProps) {
  const active = listFilterWords(filters).flatMap(({ name, words }) =>
    name === 'q' && searchChips.length > 0
      ? searchChips.map(({ label, rest }) => ({ words: label, others: withSearch(filters, rest) }))
      : [{ words, others: withoutFilters(filters, name) }],
  );
  if (active.length === 0) return null;
  return (
    <div className="active-filters">
      <h2 className="visually-hidden">Filters</h2>
      <ul>
        {active.map(({ words, others }) => (
          <RemovableChip key={words} words={words} href={toHref(others)} />
        ))}
      </ul>
      <a href={`/${formatQuery(filters)}`}>Change filters</a>
    </div>
  );
}

/** What was understood of a search, beside a form that shows the other filters. */
export function UnderstoodSearch({ filters, searchChips, toHref }: ActiveFiltersProps) {
  if (searchChips.length === 0) return null;
  return (
    <div className="active-filters">
      <span id="understood">Understood as</span>
      <ul aria-labelledby="understood">
        {searchChips.map(({ label, rest }) => (
          <RemovableChip
            key={`${label} ${rest}`}
            words={label}
            href={toHref(withSearch(filters, rest))}
          />
        ))}
      </ul>
    </div>
  );
}

function RemovableChip({ words, href }: Readonly<{ words: string; href: string }>) {
  return (
    <li>
      <a className="chip" href={href} aria-current="true" title="Remove this filter">
        <span className="visually-hidden">Remove the filter </span>
        <bdi>{words}</bdi>
        <Icon name="remove" />
      </a>
    </li>
  );
}
