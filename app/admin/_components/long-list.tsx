import { toListPath } from '#lib/accounts/admin/list-query.ts';
import { ChoiceField } from '../../_components/fields/form-fields.tsx';

/** The parameters of a list, without those of a page of it. */
type Parameters = Readonly<Record<string, string>>;

type Choice = Readonly<{
  name: string;
  label: string;
  /** The first one is the default, and has no value. */
  options: readonly (readonly [value: string, words: string])[];
}>;

type ListFormProps = Readonly<{
  /** The page. */
  action: string;
  /** What is searched. */
  label: string;
  parameters: Parameters;
  choices: readonly Choice[];
}>;

/** Finds, filters and orders the rows of a long list. */
export function ListForm({ action, label, parameters, choices }: ListFormProps) {
  const shown = new Set(['q', ...choices.map(({ name }) => name)]);
  const hidden = Object.entries(parameters).filter(([name, value]) => !shown.has(name) && value);
  const isFiltered = Object.values(parameters).some((value) => value !== '');
  return (
    <search>
      <form method="get" action={action} className="admin-search">
        <p className="field admin-search-text">
          <label htmlFor="search">{label}</label>
          <input id="search" name="q" type="search" defaultValue={parameters.q} maxLength={200} />
        </p>
        {choices.map(({ options, ...choice }) => (
          <ChoiceField
            key={choice.name}
            id={choice.name}
            options={options}
            chosen={parameters[choice.name] ?? ''}
            {...choice}
          />
        ))}
        {hidden.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="buttons">
          <button type="submit" className="button">
            Show
          </button>
          {isFiltered && (
            <a className="button-quiet" href={action}>
              Show all
            </a>
          )}
        </p>
      </form>
    </search>
  );
}

type ListLinksProps = Readonly<{
  /** The page. */
  path: string;
  parameters: Parameters;
  place: Readonly<{
    total: number;
    /** Cursors. */
    before: string | null;
    after: string | null;
  }>;
}>;

/** Links to the pages beside this one, with the same order and filters, and to all of them as a file. */
export function ListLinks({ path, parameters, place: { total, before, after } }: ListLinksProps) {
  if (total === 0) return null;
  const toHref = (kind: 'before' | 'after', cursor: string) =>
    toListPath(path, parameters, { kind, cursor });
  return (
    <nav className="buttons list-links" aria-label="Pages">
      {before !== null && (
        <a className="button-quiet" rel="prev" href={toHref('before', before)}>
          Previous
        </a>
      )}
      {after !== null && (
        <a className="button-quiet" rel="next" href={toHref('after', after)}>
          Next
        </a>
      )}
      <a className="button-quiet" href={toListPath(`${path}.csv`, parameters)}>
        Download CSV
      </a>
    </nav>
  );
}
