import { useId } from 'react';
import { useEarlyInput } from '../../_components/use-early-input.ts';

type KeyFieldProps = Readonly<{ value: string; onChange: (key: string) => void }>;

/** Asks for a key. It is sent to this site alone, and kept in this tab alone. */
export function KeyField({ value, onChange }: KeyFieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className="field">
      <label htmlFor={id}>Your key</label>
      <input
        ref={field}
        id={id}
        type="password"
        value={value}
        required
        placeholder="mq_…"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span id={`${id}-hint`} className="field-hint">
        Kept in this tab alone, until you close it.{' '}
        <a href="/docs/ai#get-an-api-key">How to get one</a>
      </span>
    </p>
  );
}
