import { useId } from 'react';
import { useEarlyInput } from '../../_components/use-early-input.ts';

type ModelSearchProps = Readonly<{ value: string; onChange: (value: string) => void }>;

/** Filters the tables below it while a visitor types. */
export function ModelSearch({ value, onChange }: ModelSearchProps) {
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className="field model-search only-with-script">
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
