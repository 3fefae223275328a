import type { ReactNode } from 'react';
import {
  type ListField,
  type ListFields,
  type ListState,
  toListSearch,
} from '#lib/accounts/lists/list-query.ts';
import type { ListPlace } from '#lib/accounts/lists/list-view.ts';
import { ChoiceField, InputField } from '../fields/form-fields.tsx';

type Option = readonly [value: string, words: string];

type ListFormProps = Readonly<{
  list: ListFields & Readonly<{ path: string }>;
  query: ListState;
  /** Values of filters that depend on data, by their names. Without them such a filter is not shown. */
  options?: Readonly<Record<string, readonly Option[]>>;
  className?: string;
}>;

type ListFrameProps = ListFormProps & Readonly<{ place: ListPlace; children: ReactNode }>;

/** A page of a list between its form and its links; the children show its rows. */
export function ListFrame({ place, children, ...form }: ListFrameProps) {
  return (
    <>
      <ListForm {...form} />
      {children}
      <ListLinks {...form} place={place} />
    </>
  );
}

/** Finds, filters and orders the rows of a list. It leads to the same page, without a script. */
export function ListForm({ list, query, options, className = 'list-form' }: ListFormProps) {
  const { search, filters, sorts, path } = list;
  const orders = Object.entries(sorts).map(
    ([name, { words }], index): Option => [index === 0 ? '' : name, words],
  );
  return (
    <search>
      <form method="get" action={path} className={className}>
        <div className="field-row">
          {search !== undefined && (
            <p className="field list-form-text">
              <label htmlFor="search">{search}</label>
              <input id="search" name="q" type="search" defaultValue={query.text} maxLength={200} />
            </p>
          )}
          {Object.entries(filters).map(([name, field]) => (
            <FilterField
              key={name}
              name={name}
              field={field}
              value={query.filters[name] ?? ''}
              others={options?.[name]}
            />
          ))}
          {orders.length > 1 && (
            <ChoiceField id="sort" name="sort" label="Order" options={orders} chosen={query.sort} />
          )}
        </div>
        <p className="buttons">
          <button type="submit" className="button">
            Show
          </button>
          {toListSearch(list, query) !== '' && (
            <a className="button-quiet" href={path}>
              Show all
            </a>
          )}
        </p>
      </form>
    </search>
  );
}

type FilterFieldProps = Readonly<{
  name: string;
  field: ListField;
  value: string;
  others: readonly Option[] | undefined;
}>;

function FilterField({ name, field, value, others }: FilterFieldProps) {
  const { label, all = 'All', options, input } = field;
  if (label === null) {
    return value === '' ? null : <input type="hidden" name={name} value={value} />;
  }
  if (input !== undefined) {
    return <InputField id={name} name={name} label={label} defaultValue={value} {...input} />;
  }
  const listed = options?.map(([option, words]): Option => [option, words]) ?? others;
  if (listed === undefined) return null;
  const isListed = value === '' || listed.some(([option]) => option === value);
  const choices = [['', all] as const, ...listed, ...(isListed ? [] : [[value, value] as const])];
  return <ChoiceField id={name} name={name} label={label} options={choices} chosen={value} />;
}

type ListLinksProps = Pick<ListFrameProps, 'list' | 'query' | 'place'>;

/** Links to the pages beside this one, with the same order and filters, and to all of them as a file. */
function ListLinks({ list, query, place: { total, before, after } }: ListLinksProps) {
  if (total === 0) return null;
  const [earlier, later] = list.sorts[query.sort]?.pages ?? ['Previous', 'Next'];
  return (
    <nav className="buttons" aria-label="Pages">
      {before !== null && (
        <a
          className="button-quiet"
          rel={before.kind === 'before' ? 'prev' : undefined}
          href={list.path + toListSearch(list, query, before)}
        >
          {earlier}
        </a>
      )}
      {after !== null && (
        <a className="button-quiet" rel="next" href={list.path + toListSearch(list, query, after)}>
          {later}
        </a>
      )}
      <a className="button-quiet" download href={`${list.path}.csv${toListSearch(list, query)}`}>
        Download CSV
      </a>
    </nav>
  );
}
