import { CodeBlock } from '../../_components/code-block.tsx';
import { CopyButton } from '../../_components/copy-button.tsx';

/** The code that sets up a client. */
type Snippet = Readonly<{
  id: string;
  title: string;
  blocks: readonly Readonly<{ language: string; code: string }>[];
}>;

type NewKeyProps = Readonly<{ name: string; text: string; snippets: readonly Snippet[] }>;

/** A new key, shown only this once, and how to use it. */
export function NewKey({ name, text, snippets }: NewKeyProps) {
  return (
    <section className="new-key" aria-labelledby="new-key">
      <h2 id="new-key">Your new key: {name}</h2>
      <p>Copy it now. You won’t see it again, since we don’t store the key itself.</p>
      <p className="new-key-text">
        <code>{text}</code>
        <CopyButton text={text} name="the key" />
      </p>
      <h3>Use it</h3>
      <div className="client-tabs">
        <fieldset className="sample-choice">
          <legend className="visually-hidden">Client</legend>
          {snippets.map(({ id, title }, index) => (
            <label key={id}>
              <input type="radio" name="client" value={id} defaultChecked={index === 0} />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
        {snippets.map(({ id, title, blocks }) => (
          <div key={id} className="client-panel" data-client={id}>
            {blocks.map(({ language, code }, index) => (
              <CodeBlock
                key={code}
                title={blocks.length > 1 ? `${title}, ${index + 1} of ${blocks.length}` : title}
                code={code}
                language={language}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="quiet">
        More clients, streams, limits and errors: <a href="/docs/ai">AI proxy</a>.
      </p>
    </section>
  );
}
