import { setTimeout as delay } from 'node:timers/promises';
import { ProxyError } from './proxy-error.ts';

/** A request waits for up to three queries, and gets its 503 within two seconds. */
const withinMs = 600;

/** Waits for a query, but not for a database that hangs. @throws ProxyError 503 */
export async function waitForDatabase<T>(
  pending: Promise<T>,
  unavailable: Unavailable,
): Promise<T> {
  const over = new AbortController();
  const late = delay(withinMs, null, { signal: over.signal }).then(() => {
    throw new Error('The database does not respond.');
  });
  late.catch(() => {});
  pending.catch(() => {});
  try {
    return await Promise.race([pending, late]);
  } catch (cause) {
    throw toUnavailableError(unavailable, cause);
  } finally {
    over.abort();
  }
}

export type Unavailable = Readonly<{ message: string; reason: string }>;

export function toUnavailableError({ message, reason }: Unavailable, cause?: unknown): ProxyError {
  return new ProxyError(503, {
    type: 'server_error',
    code: 'server_is_overloaded',
    message: `${message} at the moment. Try again in a few seconds.`,
    headers: { 'Retry-After': '2' },
    ...{ reason, cause },
  });
}
