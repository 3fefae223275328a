import { useId } from 'react';
import {
  contextSteps,
  isFree,
  type ModelFilter,
  type ModelOrder,
  priceSteps,
} from '#lib/playground/model-filter.ts';
import {
  type Capability,
  capabilities,
  type ListedModel,
  toPriceInWords,
  toTokensInWords,
} from '#lib/playground/model-lists.ts';
import { useEarlyInput } from '../../_components/use-early-input.ts';
import { useIsHydrated } from '../../_components/use-is-hydrated.ts';

type ModelFiltersProps = Readonly<{
  models: readonly ListedModel[];
  value: ModelFilter;
  onChange: (filter: ModelFilter) => void;
}>;

const capabilityNames: Readonly<Record<Capability, string>> = {
  vision: 'Vision',
  tools: 'Tools',
  reasoning: 'Reasoning',
};

const orders: Readonly<Record<ModelOrder, string>> = {
  name: 'Name',
  newest: 'Newest',
  price: 'Price',
  context: 'Context',
};

const isOrder = (text: string): text is ModelOrder => Object.hasOwn(orders, text);

/** Search, filters and order of the list. A filter that no model matches is left out. */
export function ModelFilters({ models, value, onChange }: ModelFiltersProps) {
  const hasContext = models.some(({ contextTokens }) => contextTokens !== null);
  const hasPrice = models.some(({ priceIn }) => priceIn !== null);
  const set = (change: Partial<ModelFilter>) => onChange({ ...value, ...change });
  return (
    <search className="model-filters only-with-script">
      <SearchField value={value.search} onChange={(search) => set({ search })} />
      {hasContext && (
        <SelectField
          label="Context"
          value={String(value.contextMin)}
          options={[
            ['0', 'Any'],
            ...contextSteps.map(
              (step): Option => [String(step), `${toTokensInWords(step)} or more`],
            ),
          ]}
          onChange={(text) => set({ contextMin: Number(text) })}
        />
      )}
      {hasPrice && (
        <SelectField
          label="Input price"
          value={String(value.priceMax ?? '')}
          options={[
            ['', 'Any'],
            ...priceSteps.map(
              (step): Option => [String(step), `Up to ${toPriceInWords(step)} per 1M`],
            ),
          ]}
          onChange={(text) => set({ priceMax: text === '' ? null : Number(text) })}
        />
      )}
      <SelectField
        label="Sort by"
        value={value.order}
        options={Object.entries(orders)}
        onChange={(text) => isOrder(text) && set({ order: text })}
      />
      <CapabilityFields models={models} value={value} onChange={onChange} />
    </search>
  );
}

function CapabilityFields({ models, value, onChange }: ModelFiltersProps) {
  const isHydrated = useIsHydrated();
  const known = capabilities.filter((one) =>
    models.some((model) => model.capabilities.includes(one)),
  );
  const hasFree = models.some(isFree);
  if (known.length === 0 && !hasFree) return null;
  return (
    <fieldset className="model-chips">
      <legend className="visually-hidden">Only models with</legend>
      {known.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={value.capabilities.includes(one)}
            disabled={!isHydrated}
            onChange={() =>
              onChange({
                ...value,
                capabilities: capabilities.filter(
                  (each) => value.capabilities.includes(each) !== (each === one),
                ),
              })
            }
          />
          {capabilityNames[one]}
        </label>
      ))}
      {hasFree && (
        <label>
          <input
            type="checkbox"
            checked={value.isFree}
            disabled={!isHydrated}
            onChange={() => onChange({ ...value, isFree: !value.isFree })}
          />
          Free
        </label>
      )}
    </fieldset>
  );
}

type FieldProps = Readonly<{ value: string; onChange: (value: string) => void }>;

function SearchField({ value, onChange }: FieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className="field model-search">
      <label htmlFor={id}>Search models</label>
      <input
        ref={field}
        id={id}
        type="search"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </p>
  );
}

type Option = readonly [value: string, name: string];
type SelectFieldProps = FieldProps & Readonly<{ label: string; options: readonly Option[] }>;

function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLSelectElement>(value, onChange);
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select
        ref={field}
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}
