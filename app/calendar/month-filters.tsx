'use client';

import { type EventsQuery, formatQuery, formatValue } from '#lib/events/query/events-query.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { Icon } from '../_components/icon.tsx';
import { FilterChips } from '../(directory)/_filters/filter-chips.tsx';

type MonthFiltersProps = Readonly<{
  filters: EventsQuery;
  /** As in the URL. */
  month: string | undefined;
  notes: SearchNotes;
  today: string;
  lowPrice: string | null;
}>;

/** The search and the filters of the directory, but for days. */
export function MonthFilters({ filters, month, notes, today, lowPrice }: MonthFiltersProps) {
  const toHref = (others: EventsQuery) => `/calendar${formatQuery({ ...others, month })}`;
  const { q = '', ...hidden } = { ...filters, month };
  return (
    <div className="month-filters">
      <search>
        <form method="get" action="/calendar" className="search-field">
          <input
            type="search"
            name="q"
            // Another URL has another search.
            key={q}
            defaultValue={q}
            maxLength={200}
            aria-label="Search events"
            placeholder="Search events"
          />
          <button type="submit" className="icon-button" aria-label="Search">
            <Icon name="search" />
          </button>
          {Object.entries(hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={formatValue(value)} />
          ))}
        </form>
      </search>
      <FilterChips
        filters={filters}
        notes={notes}
        today={today}
        hasTimes={false}
        lowPrice={lowPrice}
        hasDays={false}
        toHref={toHref}
        onChange={(change) => location.assign(toHref(change(filters)))}
      />
    </div>
  );
}
