'use client';

import { useSyncExternalStore } from 'react';

const shownMs = 2_000;

const listeners = new Set<() => void>();
let message = '';
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the edge of the screen, which screen readers read aloud. */
export function announce(text: string): void {
  clearTimeout(timer);
  setMessage(text);
  timer = setTimeout(() => setMessage(''), shownMs);
}

/** The one live region of the site, for `announce`. */
export function Announcement() {
  const text = useSyncExternalStore(subscribe, readMessage, readNone);
  return (
    <p className="announcement" role="status">
      {text}
    </p>
  );
}

function setMessage(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const readMessage = () => message;
const readNone = () => '';
