import { type Database, openDatabase } from '#lib/database.ts';
import { createKeyRegister, type IssuedKey } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { makeKeyInput } from '../factories/key-services.ts';

/** Limits that no test reaches. */
export const unlimited = { requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 };

type RegisterOptions = Readonly<{
  dataDir: string;
  /** null: the file in `dataDir`. */
  keyPepper?: string | null;
  now?: () => number;
}>;

/** The keys of a server with this database, folder and pepper. */
export function openRegister(
  { keys }: Pick<Database, 'keys'>,
  { dataDir, keyPepper = null, now = Date.now }: RegisterOptions,
) {
  const toHash = createKeyHasher(loadPepper({ keyPepper, dataDir }));
  return createKeyRegister({ keys, toHash, now });
}

/** Creates keys without limits. @param keyPepper null: the file in `dataDir`. */
export async function makeKeysIn(
  options: DatabaseOptions,
  keyPepper: string | null,
  names: readonly string[],
): Promise<readonly IssuedKey[]> {
  const database = await openDatabase(options);
  const register = openRegister(database, { dataDir: options.dataDir, keyPepper });
  const keys: IssuedKey[] = [];
  for (const name of names) keys.push(await register.create(makeKeyInput({ name, ...unlimited })));
  await database.close();
  return keys;
}

export async function makeKeyIn(
  options: DatabaseOptions,
  keyPepper: string | null = null,
): Promise<IssuedKey> {
  const [key] = await makeKeysIn(options, keyPepper, ['laptop']);
  if (key === undefined) throw new Error('No key was made.');
  return key;
}
