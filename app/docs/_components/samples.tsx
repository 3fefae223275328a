import type { Sample } from '#lib/openapi/samples.ts';
import { CopyButton } from '../../_components/copy-button.tsx';
import { ScrolledCode } from '../../_components/scrolled.tsx';

type SamplesProps = Readonly<{ id: string; samples: readonly Sample[] }>;

/** The same request in several languages; docs.css shows the one that is checked. */
export function Samples({ id, samples }: SamplesProps) {
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
        <figure key={language} className="code-block" data-language={language}>
          <figcaption>
            {title}
            <CopyButton text={code} name={`the ${title} code`} />
          </figcaption>
          <ScrolledCode>
            <code>{code}</code>
          </ScrolledCode>
        </figure>
      ))}
    </div>
  );
}
