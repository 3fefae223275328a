import { HttpError } from '#lib/http/errors/errors.ts';
import { waitForQuery } from './wait-for-query.ts';

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

export type Unavailable = Readonly<{ message: string; reason: string }>;

export function toUnavailableError({ message, reason }: Unavailable, cause?: unknown): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message: `${message} at the moment. Try again in a few seconds.`,
    headers: { 'Retry-After': '2' },
    reason,
    cause,
  });
}
