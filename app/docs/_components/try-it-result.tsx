import { formatCount } from '#lib/events/words/format-count.ts';
import { ScrolledCode } from '../../_components/scrolled.tsx';

/** The state of a request. */
export type Attempt =
  | Readonly<{ kind: 'waiting'; url: string }>
  | Readonly<{ kind: 'failed'; url: string }>
  | Readonly<{
      kind: 'done';
      url: string;
      status: number;
      durationMs: number;
      headers: readonly (readonly [name: string, value: string])[];
      body: string;
    }>;

/** Longer bodies are cut, since they make the page slow. */
const shownMax = 20_000;

/** The response to a request: status, time, headers and body. */
export function TryItResult({ attempt }: Readonly<{ attempt: Attempt | null }>) {
  return (
    <div className="try-it-result">
      <p role="status">{attempt !== null && <Summary attempt={attempt} />}</p>
      {attempt?.kind === 'done' && (
        <>
          <details>
            <summary>{attempt.headers.length} headers</summary>
            <dl>
              {attempt.headers.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
          <ScrolledCode>
            <code>{toShownBody(attempt.body)}</code>
          </ScrolledCode>
        </>
      )}
    </div>
  );
}

function Summary({ attempt }: Readonly<{ attempt: Attempt }>) {
  if (attempt.kind === 'waiting') return <>Sending …</>;
  if (attempt.kind === 'failed') {
    return <>No response. Check your connection and try again.</>;
  }
  const { status, durationMs, url } = attempt;
  return (
    <>
      <strong data-good={status < 400}>{status}</strong> in {Math.round(durationMs)} ms from{' '}
      <a href={url}>
        <code>{url}</code>
      </a>
    </>
  );
}

function toShownBody(body: string): string {
  const text = toPrettyText(body);
  if (text.length <= shownMax) return text;
  return `${text.slice(0, shownMax)}\n… and ${formatCount(text.length - shownMax)} more characters`;
}

function toPrettyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON: a feed or a calendar.
    return body;
  }
}
