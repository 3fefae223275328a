import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react';

type TextFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'id' | 'className'> &
  Readonly<{
    label: string;
    value: string;
    onChange: (value: string) => void;
    className?: string;
    /** A line below the field. */
    hint?: ReactNode;
    /** Suggestions: values with their names. */
    options?: readonly (readonly [value: string, name: string])[];
  }>;

/** A labelled text field for ids, keys and searches. What is typed before hydration is taken over. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, className, hint, options, ...input } = props;
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className={className === undefined ? 'field' : `field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...(options && { list: `${id}-list` })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...input}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {options && (
        <datalist id={`${id}-list`}>
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </p>
  );
}

/** Takes over what a visitor typed into a controlled field before hydration. */
export function useEarlyInput<E extends { value: string }>(
  value: string,
  onChange: (value: string) => void,
): RefObject<E | null> {
  const field = useRef<E>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const typed = field.current?.value ?? value;
    if (isFirst.current && typed !== value) onChange(typed);
    isFirst.current = false;
  }, [value, onChange]);
  return field;
}

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
