import { useId } from 'react';
import { useEarlyInput } from '../../_components/use-early-input.ts';

type KeyFieldProps = Readonly<{ value: string; onChange: (key: string) => void }>;

/** The API key. It is sent only to this site, and stored only in this tab. */
export function KeyField({ value, onChange }: KeyFieldProps) {
  const id = useId();
  const field = useEarlyInput<HTMLInputElement>(value, onChange);
  return (
    <p className="field">
      <label htmlFor={id}>API key</label>
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
        Stored in this tab until you close it.{' '}
        <a href="/docs/ai#get-an-api-key">How to get a key</a>
      </span>
    </p>
  );
}
