import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { toHighlightedCode } from '#lib/representations/markdown/highlight.ts';
import type { Sample } from '#lib/representations/openapi/samples.ts';
import { CodeBlock } from '../../_components/code-block.tsx';

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
        <CodeBlock key={language} title={title} code={code} language={language}>
          <code>{toColors(code, language)}</code>
        </CodeBlock>
      ))}
    </div>
  );
}

function toColors(code: string, language: string) {
  const children = toHighlightedCode(code, language);
  return toJsxRuntime({ type: 'root', children }, { Fragment, jsx, jsxs });
}
