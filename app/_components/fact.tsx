import type { ReactNode } from 'react';

type FactProps = Readonly<{ term: string; children: ReactNode }>;

/** One row of a `<dl>`. */
export function Fact({ term, children }: FactProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
