import type { ReactNode } from 'react';
import { CopyButton } from '../../_components/copy-button.tsx';

type NewKeyProps = Readonly<{
  name: string;
  text: string;
  /** How to use it. */
  children: ReactNode;
}>;

/** A new key, shown only this once, and how to use it. */
export function NewKey({ name, text, children }: NewKeyProps) {
  return (
    <section className="new-key" aria-labelledby="new-key">
      <h2 id="new-key">Your new key: {name}</h2>
      <p>Copy it now. You won’t see it again, since we don’t store the key itself.</p>
      <p className="new-key-text">
        <code>{text}</code>
        <CopyButton text={text} name="the key" />
      </p>
      <h3 id="connect">Use it</h3>
      {children}
    </section>
  );
}
