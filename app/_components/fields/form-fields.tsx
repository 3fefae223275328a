import type { ComponentProps, ReactNode } from 'react';

/** What is wrong with a field of a form. */
export type FieldProblem = Readonly<{ field: string; problem: string }>;

type FieldProps = Readonly<{
  id: string;
  label: string;
  /** Its name in the form. */
  name: string;
  /** A line below the field. */
  hint?: ReactNode;
  /** What was wrong with a field of the form, when it was sent. */
  refused?: FieldProblem | null;
}>;

type InputFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby'>;

/** A labelled input of a form that the browser submits. */
export function InputField({ id, label, name, hint, refused, ...input }: InputFieldProps) {
  const field = { id, label, name, hint, refused: refused ?? null };
  return (
    <Field {...field}>
      <input id={id} name={name} autoComplete="off" {...toDescription(field)} {...input} />
    </Field>
  );
}

type ChoiceFieldProps = FieldProps &
  Readonly<{
    /** Values with their names. */
    options: readonly (readonly [value: string, name: string])[];
    /** The value that is chosen when the page loads. */
    chosen?: string;
  }>;

/** A labelled choice of a form that the browser submits. */
export function ChoiceField({ options, chosen, ...field }: ChoiceFieldProps) {
  return (
    <Field {...field}>
      <select id={field.id} name={field.name} defaultValue={chosen} {...toDescription(field)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Field({
  id,
  label,
  name,
  hint,
  refused,
  children,
}: FieldProps & Readonly<{ children: ReactNode }>) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {refused?.field === name && (
        <span id={`${id}-error`} className="field-error">
          {refused.problem}
        </span>
      )}
    </p>
  );
}

/** Attributes of a field with an error, which gets the focus, or with a hint. */
function toDescription({ id, name, hint, refused }: Omit<FieldProps, 'label'>) {
  if (refused?.field === name) {
    return { autoFocus: true, 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const;
  }
  return hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
}
