import { useId } from 'react';
import { useEarlyInput } from './text-field.tsx';

type SelectFieldProps = Readonly<{
  label: string;
  /** Its name in a form. */
  name?: string;
  value: string;
  /** Values with their names. */
  options: readonly (readonly [value: string, name: string])[];
  onChange: (value: string) => void;
}>;

/** A labelled choice. What is chosen before hydration is taken over. */
export function SelectField({ label, name, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLSelectElement>(value, onChange);
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select
        ref={field}
        id={id}
        name={name}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}
