import { HttpError } from '#lib/http/errors/errors.ts';
import { TimeoutError, withTimeout } from '#lib/http/with-timeout.ts';
import { StorageError } from './storage-error.ts';

/** A request waits for up to three queries, and gets its 503 within two seconds. */
const timeoutMs = 600;

/** Waits for a query, but not for a database that hangs. @throws StorageError */
export async function waitForQuery<T>(pending: Promise<T>): Promise<T> {
  try {
    return await withTimeout(pending, timeoutMs);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new StorageError('The database does not respond.', { code: error.code });
  }
}

/** Waits for a query, but not for a database that hangs. @throws HttpError 503 */
export async function waitForDatabase<T>(
  pending: Promise<T>,
  unavailable: Unavailable,
): Promise<T> {
  try {
    return await waitForQuery(pending);
  } catch (cause) {
    throw toUnavailableError(unavailable, cause);
  }
}

type Unavailable = Readonly<{ message: string; reason: string }>;

export function toUnavailableError({ message, reason }: Unavailable, cause?: unknown): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message: `${message} at the moment. Try again in a few seconds.`,
    headers: { 'Retry-After': '2' },
    reason,
    cause,
  });
}
