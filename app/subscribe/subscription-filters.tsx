import { eventFormats, projectTypes } from '#lib/events/model/schema.ts';
import type { FilterTexts } from '#lib/events/query/filters.ts';
import { listFilterWords } from '#lib/events/view/words/filter-words.ts';

const searchLengthMax = 200;

/** Chooses the events of a subscription: a GET form, which needs no script. */
export function SubscriptionFilters({ filters }: Readonly<{ filters: FilterTexts }>) {
  const { format, projectType, q, ...others } = filters;
  return (
    <form className="subscribe-filters" action="/subscribe">
      <h2>Which events?</h2>
      <div className="field-row">
        <Choice name="format" label="Where" all="Anywhere" choices={eventFormats} value={format} />
        <Choice
          name="projectType"
          label="Project type"
          all="Any project"
          choices={projectTypes}
          value={projectType}
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
          <input type="checkbox" name={name} value={filters[name]} defaultChecked />
          <span>Only: {words}</span>
        </label>
      ))}
      <p className="subscribe-submit">
        <button className="button" type="submit">
          Update links
        </button>
        {listFilterWords(filters).length > 0 && <a href="/subscribe">All events</a>}
      </p>
    </form>
  );
}

type ChoiceProps = Readonly<{
  name: 'format' | 'projectType';
  label: string;
  /** The option that turns the filter off. */
  all: string;
  choices: readonly string[];
  value: string | undefined;
}>;

function Choice({ name, label, all, choices, value = '' }: ChoiceProps) {
  // A URL may combine several.
  const options = value === '' || choices.includes(value) ? choices : [...choices, value];
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select id={name} name={name} defaultValue={value}>
        <option value="">{all}</option>
        {options.map((choice) => (
          <option key={choice} value={choice}>
            {listFilterWords({ [name]: choice })[0]?.words}
          </option>
        ))}
      </select>
    </div>
  );
}
