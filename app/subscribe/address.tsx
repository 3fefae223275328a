import { CopyButton } from '../_components/copy-button.tsx';

type AddressProps = Readonly<{
  id: string;
  label: string;
  url: string;
  hint?: string;
}>;

/** A URL to copy: with a button, or from the field where there are no scripts. */
export function Address({ id, label, url, hint }: AddressProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="address">
        <input id={id} className="mono" readOnly value={url} />
        <CopyButton text={url} name={`the ${label}`} />
      </div>
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </div>
  );
}
