import type { Log } from '#lib/http/log.ts';
import { channels, type RequestDone } from './channels.ts';

export type RequestLogOptions = Readonly<{
  /** `errors`: our own failures, and requests without a valid key; repeated ones are grouped. */
  which: 'all' | 'errors' | 'none';
  log: Log;
}>;

/** Writes one line for each request. @returns a function that stops it. */
export function logRequests({ which, log }: RequestLogOptions): () => void {
  if (which === 'none') return () => {};
  const write = (done: RequestDone): void => {
    const isError = done.status >= 500 || done.status === 401;
    if (which === 'all') log.info(toLine(done), 'request');
    else if (isError) log.warn(toLine(done), 'request');
  };
  channels.requestDone.subscribe(write);
  return () => channels.requestDone.unsubscribe(write);
}

function toLine({ method, route, status, durationMs, bytes, ...more }: RequestDone): object {
  const { requestId, keyName: key } = more;
  const client = more.toClient();
  const rounded = Math.round(durationMs * 10) / 10;
  return { method, route, status, durationMs: rounded, bytes, requestId, key, client };
}
