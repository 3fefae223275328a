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

/** The longest text that can be searched for. */
const searchLengthMax = 200;

type FilterFormProps = Readonly<{
  ref: Ref<HTMLFormElement>;
  /** The filters that are on when the page is shown. */
  filters: FilterTexts;
  /** Called as someone types or chooses, with the filters as the query of an address. */
  onChange?: (search: string) => void;
}>;

/** The filters of the directory: a plain form, which leads to the address that holds them. */
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
          given={filters.status}
        />
        <Choice
          name="format"
          label="Where"
          all="Anywhere"
          names={formatNames}
          given={filters.format}
        />
        <Choice
          name="projectType"
          label="Kind of project"
          all="Any project"
          names={typeNames}
          given={filters.projectType}
        />
        {filters.from && <input type="hidden" name="from" value={filters.from} />}
        {filters.to && <input type="hidden" name="to" value={filters.to} />}
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
  /** Said where the filter is off. */
  all: string;
  names: Readonly<Record<string, string>>;
  given: string | undefined;
}>;

function Choice({ name, label, all, names, given = '' }: ChoiceProps) {
  const values = given.split(',');
  return (
    <div className="choice">
      <label className="visually-hidden" htmlFor={name}>
        {label}
      </label>
      <select id={name} name={name} defaultValue={given}>
        <option value="">{all}</option>
        {Object.entries(names).map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
        {/* An address may hold several. */}
        {values.length > 1 && (
          <option value={given}>{values.map((value) => names[value]).join(' or ')}</option>
        )}
      </select>
    </div>
  );
}

/** The filters of a form, as the query of an address. */
export function readForm(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return toSearch(Object.fromEntries(entries));
}
