import { useEffect, useState } from 'react';
import { announce } from '../announcement.tsx';

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
