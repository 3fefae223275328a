import type { RootContent } from 'mdast';
import type { ReferenceOperation } from '#lib/representations/openapi/reference.ts';
import { DocsText } from './docs-text.tsx';
import { Samples } from './samples.tsx';
import { TryIt } from './try-it.tsx';

type OperationSectionProps = Readonly<{
  operation: ReferenceOperation;
  before: readonly RootContent[];
  after: readonly RootContent[];
  siteUrl: string;
}>;

/** One operation of the reference: parameters, samples, a form to try it, responses. */
export function OperationSection({ operation, before, after, siteUrl }: OperationSectionProps) {
  const { id, path, parameters, samples } = operation;
  return (
    <section className="operation" aria-labelledby={id}>
      <DocsText nodes={before} siteUrl={siteUrl} />
      <Samples id={id} samples={samples} />
      <TryIt operation={{ id, path, parameters }} />
      <DocsText nodes={after} siteUrl={siteUrl} />
    </section>
  );
}
