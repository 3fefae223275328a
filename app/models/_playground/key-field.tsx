import { useEffect, useState } from 'react';
import { TextField } from '../../_components/fields/controlled-fields.tsx';

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

const storageName = 'marquee-key';

/** The API key, in session storage: it survives a reload, and is gone when the tab is closed. */
export function useTabKey(): readonly [key: string, setKey: (key: string) => void] {
  const [key, setKey] = useState('');
  // In an effect, since the server has no storage. A key that was typed before hydration wins.
  useEffect(() => setKey((typed) => typed || readStored()), []);
  return [
    key,
    (typed) => {
      setKey(typed);
      store(typed);
    },
  ];
}

function readStored(): string {
  try {
    return sessionStorage.getItem(storageName) ?? '';
  } catch {
    // Storage is disabled: the key lasts as long as the page.
    return '';
  }
}

function store(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, key);
  } catch {
    // As above.
  }
}
