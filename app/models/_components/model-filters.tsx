import { useEffect, useEffectEvent, useRef } from 'react';
import {
  type Capability,
  capabilities,
  capabilityNames,
  type ListedModel,
  toPriceInWords,
  toTokensInWords,
} from '#lib/representations/listed-models.ts';
import {
  contextSteps,
  isFreeModel,
  type ModelFilter,
  parseModelFilter,
  priceSteps,
  toModelSearch,
} from '#lib/site/playground/model-filter.ts';
import { SelectField, TextField } from '../../_components/fields/controlled-fields.tsx';
import type { ChangeKind } from '../../_components/use-url-history.ts';

type ModelFiltersProps = Readonly<{
  models: readonly ListedModel[];
  value: ModelFilter;
  onChange: (filter: ModelFilter, kind: ChangeKind) => void;
  /** Called when a field loses the focus. */
  onSettle: () => void;
}>;

type Option = readonly [value: string, name: string];

const contextOptions: readonly Option[] = [
  ['0', 'Any'],
  ...contextSteps.map((step): Option => [String(step), `${toTokensInWords(step)} or more`]),
];
const priceOptions: readonly Option[] = [
  ['', 'Any'],
  ...priceSteps.map((step): Option => [String(step), `Up to ${toPriceInWords(step)} per 1M`]),
];
const orderOptions: readonly (readonly [ModelFilter['order'], string])[] = [
  ['name', 'Name'],
  ['newest', 'Newest'],
  ['price', 'Price'],
  ['context', 'Context'],
];

/** The form to which the boxes of the cards belong. */
export const modelFormId = 'model-filters';

/** Search, filters and order of the list: a GET form, which works without JavaScript. */
export function ModelFilters({ models, value, onChange, onSettle }: ModelFiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const takeOver = useEffectEvent(() => {
    const early = form.current ? readForm(form.current) : value;
    if (toModelSearch(early) !== toModelSearch(value)) onChange(early, 'typed');
  });
  // Takes over what was entered before hydration, after the fields’ own effects, each of which knows only its own
  // value.
  useEffect(() => takeOver(), []);
  const set = (change: Partial<ModelFilter>) => onChange({ ...value, ...change }, 'chosen');
  return (
    <search>
      <form
        ref={form}
        id={modelFormId}
        className="model-filters"
        action="/models"
        onBlur={onSettle}
        onSubmit={(event) => event.preventDefault()}
      >
        <TextField
          label="Search models"
          className="model-search"
          type="search"
          name="q"
          value={value.search}
          onChange={(search) => onChange({ ...value, search }, 'typed')}
        />
        {models.some(({ contextTokens }) => contextTokens !== null) && (
          <SelectField
            label="Context"
            name="context"
            value={String(value.contextMin)}
            options={contextOptions}
            onChange={(text) => set({ contextMin: Number(text) })}
          />
        )}
        {models.some(({ priceIn }) => priceIn !== null) && (
          <SelectField
            label="Input price"
            name="price"
            value={String(value.priceMax ?? '')}
            options={priceOptions}
            onChange={(text) => set({ priceMax: text === '' ? null : Number(text) })}
          />
        )}
        <SelectField
          label="Sort by"
          name="sort"
          value={value.order}
          options={orderOptions}
          onChange={(text) =>
            set({ order: orderOptions.find(([value]) => value === text)?.[0] ?? 'name' })
          }
        />
        <CapabilityFields
          models={models}
          hasFree={models.some(isFreeModel)}
          value={value}
          onChange={set}
        />
        <p className="model-filters-end">
          <button className="button only-without-script" type="submit">
            Show models
          </button>
          {toModelSearch({ ...value, order: 'name', compared: [] }) !== '' && (
            <a href="/models">Clear filters</a>
          )}
        </p>
      </form>
    </search>
  );
}

function readForm(form: HTMLFormElement): ModelFilter {
  const values = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return parseModelFilter(new URLSearchParams(values));
}

type CapabilityFieldsProps = Readonly<{
  models: readonly ListedModel[];
  hasFree: boolean;
  value: ModelFilter;
  onChange: (change: Partial<ModelFilter>) => void;
}>;

/**
 * What models can do, and whether they are free. Capabilities that no model has are left out, unless they are
 * selected.
 */
function CapabilityFields({ models, hasFree, value, onChange }: CapabilityFieldsProps) {
  const isOn = (capability: Capability) => value.capabilities.includes(capability);
  const known = capabilities.filter(
    (capability) =>
      isOn(capability) || models.some((model) => model.capabilities.includes(capability)),
  );
  const toggle = (capability: Capability) =>
    onChange({ capabilities: capabilities.filter((each) => isOn(each) !== (each === capability)) });
  if (known.length === 0 && !hasFree && !value.isFree) return null;
  return (
    <fieldset className="model-chips">
      <legend className="visually-hidden">Only models with</legend>
      {known.map((capability) => (
        <label key={capability}>
          <input
            type="checkbox"
            name="can"
            value={capability}
            checked={isOn(capability)}
            onChange={() => toggle(capability)}
          />
          {capabilityNames[capability]}
        </label>
      ))}
      {(hasFree || value.isFree) && (
        <label>
          <input
            type="checkbox"
            name="free"
            value="1"
            checked={value.isFree}
            onChange={() => onChange({ isFree: !value.isFree })}
          />
          Free
        </label>
      )}
    </fieldset>
  );
}
