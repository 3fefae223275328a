'use client';

import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

type CopyButtonProps = Readonly<{
  /** What is copied; an address that begins with a slash is made absolute. */
  text: string;
  /** What it is, as in “Copy {name}”. */
  name: string;
}>;

const saidForMs = 2_000;

/** Copies a text, and says so. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), saidForMs);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    const whole = text.startsWith('/') ? new URL(text, location.href).href : text;
    setState(await navigator.clipboard.writeText(whole).then(toCopied, toFailed));
  };
  return (
    <button
      type="button"
      className="icon-button copy-button only-with-script"
      data-state={state}
      aria-label={`Copy ${name}`}
      title={`Copy ${name}`}
      onClick={copy}
    >
      <Icon name={state === 'copied' ? 'done' : 'copy'} />
      <span className="visually-hidden" role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'The browser does not let this page copy'}
      </span>
    </button>
  );
}

const toCopied = () => 'copied' as const;
const toFailed = () => 'failed' as const;
