import { setTimeout as delay } from 'node:timers/promises';
import { StorageError } from './storage-error.ts';

/** A request waits for up to three queries, and gets its 503 within two seconds. */
const withinMs = 600;

/** Waits for a query, but not for a database that hangs. @throws StorageError */
export async function waitForQuery<T>(pending: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = delay(withinMs, null, { signal: over.signal }).then(() => {
    throw new StorageError('The database does not respond.', { code: 'ETIMEDOUT' });
  });
  late.catch(() => {});
  pending.catch(() => {});
  try {
    return await Promise.race([pending, late]);
  } finally {
    over.abort();
  }
}
