import { formatQuery } from '#lib/events/query/events-query.ts';
import type { DirectoryView } from '#lib/events/view/directory/directory-view.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { Icon } from '../../_components/icon.tsx';
import { LayoutSwitch } from '../../_components/layout-switch.tsx';
import { onPlainClick } from '../../_components/use-url-history.ts';
import { DirectoryCounts } from './directory-counts.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterForm } from './filter-form.tsx';
import type { DirectoryFilters } from './use-directory-filters.ts';

type DirectoryControlsProps = DirectoryFilters &
  Readonly<{
    shown: DirectoryView;
    isFiltered: boolean;
    notes: SearchNotes;
    today: string;
    hasTimes: boolean;
    lowPrice: string | null;
  }>;

/** What stands above the list: its filters, how many events they leave, and its layouts. */
export function DirectoryControls(props: DirectoryControlsProps) {
  const { form, filters, applied, layout } = props;
  const { changeFilters, chooseFilters, changeLayout, settle } = props;
  const { shown, isFiltered, notes, today, hasTimes, lowPrice } = props;
  return (
    <div className="directory-controls">
      <FilterForm
        ref={form}
        filters={filters}
        layout={layout}
        onChange={changeFilters}
        onSettle={settle}
        onClear={() => chooseFilters(({ q: _, ...rest }) => rest)}
      />
      <a className="button subscribe-link" href={`/subscribe${formatQuery(applied)}`}>
        <Icon name="bell" />
        Subscribe
      </a>
      <FilterChips
        filters={applied}
        notes={notes}
        today={today}
        hasTimes={hasTimes}
        lowPrice={lowPrice}
        onChange={chooseFilters}
      />
      <DirectoryCounts
        view={shown}
        isFiltered={isFiltered}
        onClear={() => chooseFilters(() => ({}))}
      />
      <LayoutSwitch
        layout={layout}
        filters={filters}
        toOnClick={(next) => onPlainClick(() => changeLayout(next))}
      />
    </div>
  );
}
