'use client';

import { useEffect, useState } from 'react';
import { announce } from './announcement.tsx';
import { Icon } from './icon.tsx';
import { ScriptButton } from './script-button.tsx';

type CopyButtonProps = Readonly<{
  /** The text to copy; a path that begins with a slash is copied as an absolute URL. */
  text: string;
  /** What it is, as in “Copy {name}”. */
  name: string;
}>;

export function CopyButton({ text, name }: CopyButtonProps) {
  const { isCopied, copy } = useCopy();
  return (
    <ScriptButton
      className="icon-button"
      aria-label={`Copy ${name}`}
      title={`Copy ${name}`}
      onClick={() => copy(text.startsWith('/') ? new URL(text, location.href).href : text)}
    >
      <Icon name={isCopied ? 'done' : 'copy'} />
    </ScriptButton>
  );
}

const markedMs = 2_000;

/** Copies text to the clipboard, announces it, and shows the success for a moment. */
export function useCopy(): Readonly<{ isCopied: boolean; copy: (text: string) => Promise<void> }> {
  const [copies, setCopies] = useState(0);
  const isCopied = copies > 0;
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), markedMs);
    return () => clearTimeout(timer);
  }, [copies]);

  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopies((count) => count + 1);
      announce('Copied');
    } catch {
      // No permission, or no clipboard at all: pages over plain HTTP have none.
      announce('Your browser did not allow copying');
    }
  }

  return { isCopied, copy };
}
