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
