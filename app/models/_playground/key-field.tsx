import { TextField } from '../../_components/fields/text-field.tsx';

type KeyFieldProps = Readonly<{ value: string; onChange: (key: string) => void }>;

/** The API key. It is sent only to this site, and stored only in this tab. */
export function KeyField(props: KeyFieldProps) {
  const hint = (
    <>
      Stored in this tab until you close it. <a href="/docs/ai#get-an-api-key">How to get a key</a>
    </>
  );
  return (
    <TextField {...props} label="API key" type="password" required placeholder="mq_…" hint={hint} />
  );
}
