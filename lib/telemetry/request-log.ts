import type { Log } from '#lib/http/log.ts';
import { channels, type RequestDone } from './channels.ts';

type RequestLogOptions = Readonly<{
  /** `errors`: our own failures, and requests without a valid key; repeated ones are grouped. */
  which: 'all' | 'errors' | 'none';
  /** How many proxies in front of us are believed about the client's address. */
  trustedHops: number;
  log: Log;
}>;

/** Writes one line for each request. @returns a function that stops it. */
export function logRequests({ which, trustedHops, log }: RequestLogOptions): () => void {
  if (which === 'none') return () => {};
  const write = (done: RequestDone): void => {
    const isError = done.status >= 500 || done.status === 401;
    if (which === 'all') log.info(toLine(done, trustedHops), 'request');
    else if (isError) log.warn(toLine(done, trustedHops), 'request');
  };
  channels.requestDone.subscribe(write);
  return () => channels.requestDone.unsubscribe(write);
}

function toLine(done: RequestDone, trustedHops: number): object {
  const { method, route, status, bytes, requestId, keyName: key } = done;
  const durationMs = Math.round(done.durationMs * 10) / 10;
  const client = done.toClient(trustedHops);
  return { method, route, status, durationMs, bytes, requestId, key, client };
}

const keyNames = new WeakMap<Request, string>();

/** Remembers the name of the API key that a request came with, for its line in the log. */
export function setKeyName(request: Request, name: string): void {
  keyNames.set(request, name);
}

export function getKeyName(request: Request | null): string | null {
  return (request && keyNames.get(request)) ?? null;
}
