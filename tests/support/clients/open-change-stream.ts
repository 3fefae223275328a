import { expect } from 'vitest';

/** A stream of changes to read from until the end of the scope. */
export type ChangeStream = AsyncDisposable &
  Readonly<{ headers: Headers; text: () => string; isEnded: () => boolean }>;

type StreamOptions = Readonly<{ headers?: Readonly<Record<string, string>>; search?: string }>;

/** Opens `/api/v1/events/changes` as an event stream, and waits until the server has begun it. */
export async function openChangeStream(
  url: string,
  { headers = {}, search = '' }: StreamOptions = {},
): Promise<ChangeStream> {
  const closed = new AbortController();
  const response = await fetch(`${url}/api/v1/events/changes${search}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: closed.signal,
  });
  expect(response.status).toBe(200);
  let text = '';
  let isEnded = false;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })()
    .catch(() => {})
    .finally(() => {
      isEnded = true;
    });
  await expect.poll(() => text).toContain(': connected');
  return {
    headers: response.headers,
    text: () => text,
    isEnded: () => isEnded,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await reading;
    },
  };
}
