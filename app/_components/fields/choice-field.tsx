type ChoiceFieldProps = Readonly<{
  id: string;
  label: string;
  /** Its name in the form. */
  name: string;
  /** Values with their names. */
  options: readonly (readonly [value: string, name: string])[];
  /** The value that is chosen when the page loads. */
  chosen?: string;
}>;

/** A labelled choice of a form that the browser submits. */
export function ChoiceField({ id, label, name, options, chosen }: ChoiceFieldProps) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={chosen}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}
