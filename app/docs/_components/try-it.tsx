'use client';

import { type FormEvent, useRef, useState } from 'react';
import { formatCount } from '#lib/events/words/format-count.ts';
import type { ReferenceOperation } from '#lib/representations/openapi/reference.ts';
import { toRequestPath } from '#lib/representations/openapi/samples.ts';
import { ScrolledCode } from '../../_components/scrolled.tsx';
import { ParameterField } from './parameter-field.tsx';

type TryItProps = Readonly<{ operation: Pick<ReferenceOperation, 'id' | 'path' | 'parameters'> }>;

/** A form that calls an operation of this site. Without JavaScript it navigates to the response. */
export function TryIt({ operation }: TryItProps) {
  const { id, path, parameters } = operation;
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const latest = useRef<AbortController | null>(null);
  const isInPath = parameters.some((parameter) => parameter.in === 'path');

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value)] as const,
    );
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    const url = toRequestPath(operation, values);
    setAttempt({ kind: 'waiting', url });
    const attempted = await sendRequest(url, controller.signal);
    if (!controller.signal.aborted) setAttempt(attempted);
  }

  return (
    <form
      className="card try-it"
      method="get"
      action={isInPath ? '/docs/try' : path}
      aria-label={`Try ${id}`}
      onSubmit={send}
    >
      <h3>Try it</h3>
      {isInPath && <input type="hidden" name="operation" value={id} />}
      <div className="try-it-fields">
        {parameters.map((parameter) => (
          <ParameterField key={parameter.name} parameter={parameter} />
        ))}
      </div>
      <p className="buttons">
        <button type="submit" className="button">
          Send
        </button>{' '}
        <button type="reset" className="button-quiet" onClick={() => setAttempt(null)}>
          Clear
        </button>
      </p>
      <TryItResult attempt={attempt} />
    </form>
  );
}

async function sendRequest(url: string, signal: AbortSignal): Promise<Attempt> {
  const startedAt = performance.now();
  try {
    // Bypass the browser's cache: the time shown is the server's.
    const response = await fetch(url, { signal, cache: 'no-store' });
    const text = await response.text();
    return {
      kind: 'done',
      url,
      status: response.status,
      durationMs: performance.now() - startedAt,
      headers: [...response.headers],
      body: text,
    };
  } catch {
    return { kind: 'failed', url };
  }
}

/** The state of a request. */
type Attempt =
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
function TryItResult({ attempt }: Readonly<{ attempt: Attempt | null }>) {
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
