import type { FormEvent, Ref } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  filterNames,
  formatQuery,
  formatValue,
  isReversed,
  withoutFilters,
} from '#lib/events/query/events-query.ts';
import { Icon } from '../../_components/icon.tsx';
import { type ChangeKind, onPlainClick } from '../../_components/use-url-history.ts';
import { DatesPanel } from './dates-panel.tsx';
import { readForm } from './use-directory-url.ts';

/** Filters with a field of their own; the others are hidden fields, so that submitting keeps them. */
const shownNames: ReadonlySet<string> = new Set(['q', 'from', 'to', 'status']);

const searchLengthMax = 200;

type FilterFormProps = Readonly<{
  ref: Ref<HTMLFormElement>;
  filters: EventsQuery;
  layout: DirectoryLayout;
  /** Called whenever a visitor types or chooses, and when the form is submitted. */
  onChange: (filters: EventsQuery, kind: ChangeKind) => void;
  /** Called when a field loses the focus. */
  onSettle: () => void;
  onClear: () => void;
}>;

/** Search and days: a GET form, which works without JavaScript. */
export function FilterForm(props: FilterFormProps) {
  const { ref, filters, layout, onChange, onSettle, onClear } = props;
  const type = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    const typed = readForm(currentTarget);
    const isDay = target instanceof HTMLInputElement && target.type === 'date';
    // A range takes the place of quick dates.
    onChange(isDay ? withoutFilters(typed, 'when') : typed, 'typed');
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const chosen = readForm(form);
    onChange(chosen, 'submitted');
    if (isReversed(chosen)) form.querySelector<HTMLInputElement>('[name="from"]')?.focus();
    else form.querySelector('details')?.removeAttribute('open');
  };
  const hidden = filterNames.filter((name) => !shownNames.has(name) && filters[name]);
  return (
    <search>
      <form
        ref={ref}
        className="filters"
        action="/"
        onInput={type}
        onBlur={onSettle}
        onSubmit={submit}
      >
        <SearchField filters={filters} onClear={onClear} />
        <DatesPanel filters={filters} />
        {hidden.map((name) => (
          <input key={name} type="hidden" name={name} value={formatValue(filters[name])} />
        ))}
        {layout === 'list' && <input type="hidden" name="view" value="list" />}
      </form>
    </search>
  );
}

function SearchField({ filters, onClear }: Pick<FilterFormProps, 'filters' | 'onClear'>) {
  return (
    <div className="search-field">
      <label className="visually-hidden" htmlFor="q">
        Search events
      </label>
      <input
        id="q"
        type="search"
        name="q"
        placeholder="Search events"
        defaultValue={filters.q}
        maxLength={searchLengthMax}
        autoComplete="off"
        dir="auto"
      />
      {filters.q && (
        <a
          className="icon-button"
          href={`/${formatQuery(withoutFilters(filters, 'q'))}`}
          aria-label="Clear the search"
          onClick={onPlainClick(onClear)}
        >
          <Icon name="remove" />
        </a>
      )}
      <button className="icon-button" type="submit" aria-label="Search">
        <Icon name="search" />
      </button>
    </div>
  );
}
