import { useEffect, useState } from 'react';

const storageName = 'marquee-key';

/** A key that only this tab knows: it survives a reload, and is gone when the tab is closed. */
export function useTabKey(): readonly [key: string, setKey: (key: string) => void] {
  const [key, setKey] = useState('');
  // Not while rendering: the server has no storage, and both must show the same at first.
  // What was typed by then counts for more.
  useEffect(() => setKey((typed) => typed || readStored()), []);
  return [
    key,
    (given) => {
      setKey(given);
      store(given);
    },
  ];
}

function readStored(): string {
  try {
    return sessionStorage.getItem(storageName) ?? '';
  } catch {
    // Storage may be forbidden; then the key lasts as long as the page.
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
