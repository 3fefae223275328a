import { eventFormats, projectTypes } from '#lib/events/model/choices.ts';
import { type EventsQuery, formatQuery, formatValue } from '#lib/events/query/events-query.ts';
import type { SearchChip } from '#lib/events/search/parse-search.ts';
import { describeFilter, listFilterWords } from '#lib/events/words/filter-words.ts';
import { ChoiceField } from '../_components/fields/form-fields.tsx';
import { UnderstoodSearch } from './understood-search.tsx';

const searchLengthMax = 200;

type SubscriptionFiltersProps = Readonly<{
  filters: EventsQuery;
  /** What was understood of the search. */
  searchChips: readonly SearchChip[];
}>;

/** Chooses the events of a subscription: a GET form, which needs no script. */
export function SubscriptionFilters({ filters, searchChips }: SubscriptionFiltersProps) {
  return (
    <form className="subscribe-filters" action="/subscribe">
      <h2>Which events?</h2>
      <FilterFields filters={filters} />
      <UnderstoodSearch
        filters={filters}
        searchChips={searchChips}
        toHref={(others) => `/subscribe${formatQuery(others)}`}
      />
      <p className="row">
        <button className="button" type="submit">
          Update links
        </button>
        {listFilterWords(filters).length > 0 && <a href="/subscribe">All events</a>}
      </p>
    </form>
  );
}

/** The filters of a form. */
export function FilterFields({ filters }: Readonly<{ filters: EventsQuery }>) {
  const { format: _, projectType: __, q, ...others } = filters;
  const [format, projectType] = [formatValue(filters.format), formatValue(filters.projectType)];
  return (
    <>
      <div className="field-row">
        <ChoiceField
          id="format"
          name="format"
          label="Where"
          options={[['', 'Anywhere'], ...toOptions('format', eventFormats, format)]}
          chosen={format}
        />
        <ChoiceField
          id="projectType"
          name="projectType"
          label="Project type"
          options={[['', 'Any project'], ...toOptions('projectType', projectTypes, projectType)]}
          chosen={projectType}
        />
      </div>
      <div className="field">
        <label htmlFor="q">With these words</label>
        <input
          id="q"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={searchLengthMax}
          placeholder="A city, a tool, a name"
          dir="auto"
        />
      </div>
      {listFilterWords(others).map(({ name, words }) => (
        <label key={name} className="subscribe-more">
          <input type="checkbox" name={name} value={formatValue(filters[name])} defaultChecked />
          <span>Only: {words}</span>
        </label>
      ))}
      {filters.within && <input type="hidden" name="within" value={filters.within} />}
    </>
  );
}

// A URL may combine several.
function toOptions(name: 'format' | 'projectType', choices: readonly string[], chosen: string) {
  const values = chosen === '' || choices.includes(chosen) ? choices : [...choices, chosen];
  return values.map((value) => [value, describeFilter(name, value.split(','))] as const);
}
