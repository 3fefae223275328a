import { useId } from 'react';
import type { ListedModel } from '#lib/playground/model-lists.ts';
import { useEarlyInput } from '../../_components/use-early-input.ts';

type ModelFieldProps = Readonly<{
  models: readonly ListedModel[];
  value: string;
  onChange: (id: string) => void;
}>;

/** The model id, with suggestions. */
export function ModelField({ models, value, onChange }: ModelFieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className="field">
      <label htmlFor={id}>Model</label>
      <input
        ref={field}
        id={id}
        list={`${id}-list`}
        value={value}
        required
        placeholder="Model id"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {models.map((model) => (
          <option key={model.id} value={model.id}>
            {model.name ?? model.id}
          </option>
        ))}
      </datalist>
    </p>
  );
}
