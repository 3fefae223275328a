import { useState } from 'react';
import type { ChatRequest } from '#lib/site/playground/chat-request.ts';
import { toCodeSamples } from '#lib/site/playground/code-samples.ts';
import { CodeBlock } from '../../_components/code-block.tsx';

type CodePanelProps = Readonly<{ request: ChatRequest; siteUrl: string }>;

/** The current request as code. */
export function CodePanel({ request, siteUrl }: CodePanelProps) {
  const [title, setTitle] = useState('curl');
  const samples = toCodeSamples(request, { siteUrl });
  const shown = samples.find((sample) => sample.title === title);
  return (
    <section className="playground-code" aria-labelledby="as-code">
      <h3 id="as-code">The request as code</h3>
      <fieldset className="sample-choice only-with-script">
        <legend className="visually-hidden">Language</legend>
        {samples.map((sample) => (
          <label key={sample.title}>
            <input
              type="radio"
              name="language"
              checked={sample.title === title}
              onChange={() => setTitle(sample.title)}
            />{' '}
            {sample.title}
          </label>
        ))}
      </fieldset>
      {shown && (
        <CodeBlock title={shown.title} code={shown.code} language={shown.title.toLowerCase()} />
      )}
    </section>
  );
}
