import { withTimeout } from '#lib/http/with-timeout.ts';
import { StorageError, toErrorCode } from '#lib/storage/storage-error.ts';
import { createKeyHasher, toPepperId } from './key-text.ts';
import { findPepper } from './pepper.ts';
import type { KeyStore } from './store/key-store.ts';

type PepperParts = Readonly<{
  keys: Pick<KeyStore, 'countByPepper'>;
  settings: Readonly<{
    keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
    storage: Readonly<{ dataDir: string }>;
  }>;
  now: () => number;
}>;

const code = 'LOST_PEPPER';
const timeoutMs = 1_000;

/** Requires the pepper until it has proved to be the right one. That the database is away is said by another check. */
export function createPepperCheck(parts: PepperParts): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    try {
      await withTimeout(requirePepper(parts), timeoutMs);
      isDone = true;
    } catch (error) {
      if (toErrorCode(error) === code) throw error;
    }
  };
}

/** @throws StorageError if there are keys, and none of them works: the pepper was lost, or another one is set. */
export async function requirePepper({ keys, settings, now }: PepperParts): Promise<void> {
  const { pepper: keyPepper, previousPepper } = settings.keys;
  const { dataDir } = settings.storage;
  const counts = await keys.countByPepper(now());
  const known = [findPepper({ keyPepper, dataDir }), previousPepper]
    .filter((pepper) => pepper !== null)
    .map((pepper) => toPepperId(createKeyHasher(pepper)));
  // Of some keys it was not stored when they were made.
  if (counts.size === 0 || [null, ...known].some((id) => counts.has(id))) return;
  const where = keyPepper === null ? `the file pepper in ${JSON.stringify(dataDir)}` : 'KEY_PEPPER';
  throw new StorageError(
    `None of the API keys works with this pepper. Restore ${where} as it was when they were made, and restart.`,
    { code },
  );
}
