import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button.tsx';

type NewSecretProps = Readonly<{
  title: string;
  /** What it is, as in “Copy {name}”. */
  name: string;
  text: string;
  /** Says that it is shown only once. */
  lead: string;
  /** How to use it. */
  children?: ReactNode;
}>;

/** A new key or secret, shown only this once. */
export function NewSecret({ title, name, text, lead, children }: NewSecretProps) {
  return (
    <section className="new-key" aria-labelledby="new-secret">
      <h2 id="new-secret">{title}</h2>
      <p>{lead}</p>
      <p className="new-key-text">
        <code>{text}</code>
        <CopyButton text={text} name={name} />
      </p>
      {children}
    </section>
  );
}
