import type { ReactNode } from 'react';
import type { RequestQuery } from '#lib/accounts/account/request-query.ts';
import { ChoiceField, InputField } from '../../_components/fields/form-fields.tsx';

const statuses = [
  ['', 'Any'],
  ['ok', 'Succeeded'],
  ['failed', 'Failed or cancelled'],
  ['400', '400 invalid'],
  ['402', '402 budget used up'],
  ['403', '403 model not allowed'],
  ['404', '404 unknown model'],
  ['429', '429 too many requests'],
  ['499', '499 client disconnected'],
  ['500', '500 server error'],
  ['502', '502 upstream failed'],
  ['503', '503 unavailable'],
  ['504', '504 upstream too slow'],
] as const;

type RequestFiltersProps = Readonly<{
  /** The page. */
  path: string;
  query: RequestQuery;
  keys: readonly Readonly<{ id: string; name: string }>[];
  models: readonly string[];
  /** Further fields, before the others; and whether one of them is on. */
  children?: ReactNode;
  isOtherOn?: boolean;
}>;

/** A form that leads to the same page: it needs no script. */
export function RequestFilters(props: RequestFiltersProps) {
  const { path, query, keys, models, children, isOtherOn = false } = props;
  const { key, model, status, session, request, day, sort } = query;
  const modelNames = [...new Set([model, ...models])].filter(Boolean);
  const isOther = !statuses.some(([value]) => value === status);
  return (
    <search>
      <form method="get" action={path} className="request-filters">
        <div className="field-row">
          {children}
          {keys.length > 0 && (
            <ChoiceField
              id="key"
              name="key"
              label="Key"
              options={[['', 'All'], ...keys.map(({ id, name }) => [id, name] as const)]}
              chosen={key}
            />
          )}
          <ChoiceField
            id="model"
            name="model"
            label="Model"
            options={[['', 'All'], ...modelNames.map((name) => [name, name] as const)]}
            chosen={model}
          />
          <ChoiceField
            id="status"
            name="status"
            label="Status"
            options={[...statuses, ...(isOther ? [[status, status] as const] : [])]}
            chosen={status}
          />
          <InputField
            id="session"
            name="session"
            label="Session"
            defaultValue={session}
            maxLength={200}
          />
          <InputField
            id="request"
            name="request"
            label="Request id"
            defaultValue={request}
            maxLength={64}
          />
          <InputField id="day" name="day" label="Day (UTC)" type="date" defaultValue={day} />
          <ChoiceField
            id="sort"
            name="sort"
            label="Order"
            options={[
              ['', 'Newest first'],
              ['cost', 'Most expensive of a day'],
            ]}
            chosen={sort}
          />
        </div>
        <p className="buttons">
          <button type="submit" className="button">
            Show
          </button>
          {(isOtherOn || Object.values(query).some((value) => value !== '')) && (
            <a className="button-quiet" href={path}>
              Show all
            </a>
          )}
        </p>
      </form>
    </search>
  );
}
