/** What is wrong with a field of a form. */
export type FieldProblem = Readonly<{ field: string; problem: string }>;

type FieldErrorProps = Readonly<{
  refused: FieldProblem | null;
  field: string;
  /** Of the field. */
  id: string;
}>;

/** What is wrong with a field, below it. */
export function FieldError({ refused, field, id }: FieldErrorProps) {
  if (refused?.field !== field) return null;
  return (
    <span id={`${id}-error`} className="field-error">
      {refused.problem}
    </span>
  );
}

/** Attributes of a field with an error: it gets the focus. */
export function toErrorProps(refused: FieldProblem | null, field: string, id: string) {
  if (refused?.field !== field) return {};
  return { autoFocus: true, 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const;
}
