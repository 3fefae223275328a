import { CopyButton } from '../_components/copy/copy-button.tsx';

type LinkFieldProps = Readonly<{
  id: string;
  label: string;
  url: string;
}>;

/** A URL to copy: with a button, or from the field where there are no scripts. */
export function LinkField({ id, label, url }: LinkFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="link-field">
        <input id={id} className="mono" readOnly value={url} />
        <CopyButton text={url} name={`the ${label}`} />
      </div>
    </div>
  );
}
