import { FieldError, type FieldProblem, toErrorProps } from './field-error.tsx';

type ChoiceFieldProps = Readonly<{
  id: string;
  label: string;
  /** Its name in the form. */
  name: string;
  /** Values with their names. */
  options: readonly (readonly [value: string, name: string])[];
  /** The value that is chosen when the page loads. */
  chosen?: string;
  /** What was wrong with a field of the form, when it was sent. */
  refused?: FieldProblem | null;
}>;

/** A labelled choice of a form that the browser submits. */
export function ChoiceField({
  id,
  label,
  name,
  options,
  chosen,
  refused = null,
}: ChoiceFieldProps) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={chosen} {...toErrorProps(refused, name, id)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <FieldError refused={refused} field={name} id={id} />
    </p>
  );
}
