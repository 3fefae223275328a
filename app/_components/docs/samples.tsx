import type { Sample } from '#lib/openapi/samples.ts';

type SamplesProps = Readonly<{ id: string; samples: readonly Sample[] }>;

/** The same call in several languages, of which the style sheet shows the one that is picked. */
export function Samples({ id, samples }: SamplesProps) {
  return (
    <div className="samples">
      <fieldset className="sample-choice">
        <legend>The same call in</legend>
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
      {samples.map(({ language, code }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <pre key={language} data-language={language} tabIndex={0}>
          <code>{code}</code>
        </pre>
      ))}
    </div>
  );
}
