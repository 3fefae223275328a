import type { FormEvent, Ref } from 'react';
import { type FilterTexts, toSearch } from '#lib/events/query/filters.ts';
import { formatNames } from '../_components/format-names.ts';
import { Icon } from '../_components/icon.tsx';

const statusNames = { ongoing: 'On now', upcoming: 'Coming up', ended: 'Past' };
const typeNames = {
  Electronics: 'Electronics',
  Websites: 'Websites',
  Software: 'Software',
  Gamedev: 'Games',
  CAD: 'CAD',
  Other: 'Other',
};

/** Filters of the URL that have no field, and must not get lost. */
const fieldless = ['state', 'when', 'from', 'to'] as const;

const searchLengthMax = 200;

type FilterFormProps = Readonly<{
  ref: Ref<HTMLFormElement>;
  /** The filters of the rendered page. */
  filters: FilterTexts;
  /** Called with the filters as a query string whenever a visitor types or chooses. */
  onChange?: (search: string) => void;
}>;

/** The filters of the directory: a GET form, which works without JavaScript. */
export function FilterForm({ ref, filters, onChange }: FilterFormProps) {
  const report = (event: FormEvent<HTMLFormElement>) => onChange?.(readForm(event.currentTarget));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    report(event);
  };
  return (
    <search>
      <form
        ref={ref}
        className="filters"
        action="/"
        {...(onChange && { onInput: report, onSubmit: submit })}
      >
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
          <button className="icon-button" type="submit" aria-label="Search">
            <Icon name="search" />
          </button>
        </div>
        <Choice
          name="status"
          label="When"
          all="Any time"
          names={statusNames}
          value={filters.status}
        />
        <Choice
          name="format"
          label="Where"
          all="Anywhere"
          names={formatNames}
          value={filters.format}
        />
        <Choice
          name="projectType"
          label="Project type"
          all="Any project"
          names={typeNames}
          value={filters.projectType}
        />
        {fieldless.map(
          (name) =>
            filters[name] && <input key={name} type="hidden" name={name} value={filters[name]} />,
        )}
        <button className="button only-without-script" type="submit">
          Show events
        </button>
      </form>
    </search>
  );
}

type ChoiceProps = Readonly<{
  name: string;
  label: string;
  /** The option that turns the filter off. */
  all: string;
  names: Readonly<Record<string, string>>;
  value: string | undefined;
}>;

function Choice({ name, label, all, names, value = '' }: ChoiceProps) {
  const values = value.split(',');
  return (
    <div className="choice">
      <label className="visually-hidden" htmlFor={name}>
        {label}
      </label>
      <select id={name} name={name} defaultValue={value}>
        <option value="">{all}</option>
        {Object.entries(names).map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
        {/* A URL may combine several. */}
        {values.length > 1 && (
          <option value={value}>{values.map((one) => names[one]).join(' or ')}</option>
        )}
      </select>
    </div>
  );
}

/** The filters of a form as a query string. */
export function readForm(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return toSearch(Object.fromEntries(entries));
}
