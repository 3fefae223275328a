'use client';

import { type FormEvent, useRef, useState } from 'react';
import type { ReferenceOperation } from '#lib/representations/openapi/reference.ts';
import { toRequestPath } from '#lib/representations/openapi/samples.ts';
import { ParameterField } from './parameter-field.tsx';
import { type Attempt, TryItResult } from './try-it-result.tsx';

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
