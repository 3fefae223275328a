import { ScrolledCode } from '../../_components/scrolled.tsx';

/** What came of a call. */
export type Attempt =
  | Readonly<{ kind: 'waiting'; address: string }>
  | Readonly<{ kind: 'failed'; address: string }>
  | Readonly<{
      kind: 'answered';
      address: string;
      status: number;
      durationMs: number;
      headers: readonly (readonly [name: string, value: string])[];
      body: string;
    }>;

/** More than this makes a page slow, and nobody reads it. */
const shownMax = 20_000;

/** The answer to a call: its status, time, headers and body. */
export function TryItAnswer({ attempt }: Readonly<{ attempt: Attempt | null }>) {
  return (
    <div className="try-it-answer">
      <p role="status">{attempt !== null && <Summary attempt={attempt} />}</p>
      {attempt?.kind === 'answered' && (
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
  if (attempt.kind === 'waiting') return <>Asking …</>;
  if (attempt.kind === 'failed') {
    return <>No answer came. Are you online? Send it again when you are.</>;
  }
  const { status, durationMs, address } = attempt;
  return (
    <>
      <strong data-good={status < 400}>{status}</strong> in {Math.round(durationMs)} ms from{' '}
      <a href={address}>
        <code>{address}</code>
      </a>
    </>
  );
}

function toShownBody(body: string): string {
  const text = toPrettyText(body);
  if (text.length <= shownMax) return text;
  return `${text.slice(0, shownMax)}\n… and ${text.length - shownMax} more characters`;
}

function toPrettyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON: a feed, or a calendar.
    return body;
  }
}
