/** Values of span attributes, by OpenTelemetry's names. Never a text of a prompt, a reply, a query or a secret. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type OpenSpan = Readonly<{
  setName: (name: string) => void;
  /** @param error a short type, such as `timeout` or `502`; null if it succeeded. */
  end: (attributes?: SpanAttributes, error?: string | null) => void;
  /** Runs work whose spans are children of this one. */
  run: <T>(work: () => T) => T;
}>;

export type SpanOptions = Readonly<{
  kind: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /** The `traceparent` of a request, whose trace this span joins. */
  traceparent?: string | undefined;
}>;

type StartSpan = (name: string, options: SpanOptions) => OpenSpan;

let start: StartSpan | null = null;

/** Turns traces on; null turns them off. */
export function setTracer(tracer: StartSpan | null): void {
  start = tracer;
}

/** Starts a child of the span in which it is called; null while traces are off. */
export function startSpan(name: string, options: SpanOptions): OpenSpan | null {
  return start === null ? null : start(name, options);
}

/** Traces work from start to end. */
export async function withSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: () => T | Promise<T>,
): Promise<T> {
  const span = startSpan(name, { kind: 'internal', attributes });
  if (span === null) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, error instanceof Error ? error.name : 'error');
    throw error;
  }
}
