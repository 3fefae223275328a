import { openDatabase } from '#lib/database.ts';
import { createKeyRegister, type IssuedKey } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeKeyInput } from '../factories/key-services.ts';

/** Limits that no test reaches. */
const limits = { requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 };

/** Creates keys. @param pepper null: the file in `dataDir`. */
export async function makeKeysIn(
  options: DatabaseOptions,
  pepper: string | null,
  names: readonly string[],
): Promise<readonly IssuedKey[]> {
  const database = await openDatabase(options);
  const toHash = createKeyHasher(loadPepper({ keyPepper: pepper, dataDir: options.dataDir }));
  const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
  const keys: IssuedKey[] = [];
  for (const name of names) keys.push(await register.create(makeKeyInput({ name, ...limits })));
  await database.close();
  return keys;
}

export async function makeKeyIn(
  options: DatabaseOptions,
  pepper: string | null = null,
): Promise<IssuedKey> {
  const [key] = await makeKeysIn(options, pepper, ['laptop']);
  if (key === undefined) throw new Error('No key was made.');
  return key;
}
