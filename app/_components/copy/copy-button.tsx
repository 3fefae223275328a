'use client';

import { Icon } from '../icon.tsx';
import { ScriptButton } from '../script-button.tsx';
import { useCopy } from './use-copy.ts';

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
