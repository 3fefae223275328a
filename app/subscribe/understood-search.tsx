import { type EventsQuery, withSearch } from '#lib/events/query/events-query.ts';
import type { SearchChip } from '#lib/events/search/parse-search.ts';
import { Icon } from '../_components/icon.tsx';
import '../_components/chip.css';

type UnderstoodSearchProps = Readonly<{
  filters: EventsQuery;
  /** What was understood of the search. */
  searchChips: readonly SearchChip[];
  /** The URL of the same page with other filters. */
  toHref: (filters: EventsQuery) => string;
}>;

/** What was understood of a search, beside a form that shows the other filters. */
export function UnderstoodSearch({ filters, searchChips, toHref }: UnderstoodSearchProps) {
  if (searchChips.length === 0) return null;
  return (
    <div className="understood-search">
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
