import {
  type Capability,
  capabilities,
  capabilityNames,
  type ListedModel,
} from '#lib/representations/listed-models.ts';
import type { ModelFilter } from '#lib/site/playground/model-filter.ts';

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
export function CapabilityFields({ models, hasFree, value, onChange }: CapabilityFieldsProps) {
  const isOn = (one: Capability) => value.capabilities.includes(one);
  const known = capabilities.filter(
    (one) => isOn(one) || models.some((model) => model.capabilities.includes(one)),
  );
  const toggle = (one: Capability) =>
    onChange({ capabilities: capabilities.filter((each) => isOn(each) !== (each === one)) });
  if (known.length === 0 && !hasFree && !value.isFree) return null;
  return (
    <fieldset className="model-chips">
      <legend className="visually-hidden">Only models with</legend>
      {known.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            name="can"
            value={one}
            checked={isOn(one)}
            onChange={() => toggle(one)}
          />
          {capabilityNames[one]}
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
