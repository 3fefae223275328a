import { type EventsQuery, formatQuery, withoutFilters } from '#lib/events/query/events-query.ts';
import { listFilterWords } from '#lib/events/words/filter-words.ts';
import { Icon } from '../_components/icon.tsx';
import './active-filters.css';
import '../_components/chip.css';

type ActiveFiltersProps = Readonly<{
  filters: EventsQuery;
  /** The URL of the same page with other filters. */
  toHref: (filters: EventsQuery) => string;
}>;

/** The filters that are on, each with a link that removes it. */
export function ActiveFilters({ filters, toHref }: ActiveFiltersProps) {
  const active = listFilterWords(filters);
  if (active.length === 0) return null;
  return (
    <div className="active-filters">
      <h2 className="visually-hidden">Filters</h2>
      <ul>
        {active.map(({ name, words }) => (
          <li key={name}>
            <a
              className="chip"
              href={toHref(withoutFilters(filters, name))}
              aria-current="true"
              title="Remove this filter"
            >
              <span className="visually-hidden">Remove the filter </span>
              <bdi>{words}</bdi>
              <Icon name="remove" />
            </a>
          </li>
        ))}
      </ul>
      <a href={`/${formatQuery(filters)}`}>Change filters</a>
    </div>
  );
}
