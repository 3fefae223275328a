import type { RootContent } from 'mdast';
import type { ReferenceOperation } from '#lib/representations/openapi/reference.ts';
import type { Sample } from '#lib/representations/openapi/samples.ts';
import { CodeBlock } from '../../_components/code-block.tsx';
import { DocsText, HighlightedCode } from './docs-text.tsx';
import { TryIt } from './try-it.tsx';
import './operation.css';

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
    <section className="section operation" aria-labelledby={id}>
      <DocsText nodes={before} siteUrl={siteUrl} />
      <Samples id={id} samples={samples} />
      <TryIt operation={{ id, path, parameters }} />
      <DocsText nodes={after} siteUrl={siteUrl} />
    </section>
  );
}

type SamplesProps = Readonly<{ id: string; samples: readonly Sample[] }>;

/** The same request in several languages; docs.css shows the one that is checked. */
function Samples({ id, samples }: SamplesProps) {
  return (
    <div className="samples">
      <fieldset className="sample-choice">
        <legend>Show the request in</legend>
        {samples.map(({ title, language }, index) => (
          <label key={language}>
            <input
              type="radio"
              name={`${id}-sample`}
              value={language}
              defaultChecked={index === 0}
            />{' '}
            {title}
          </label>
        ))}
      </fieldset>
      {samples.map(({ title, language, code }) => (
        <CodeBlock key={language} title={title} code={code} language={language}>
          <HighlightedCode code={code} language={language} />
        </CodeBlock>
      ))}
    </div>
  );
}
