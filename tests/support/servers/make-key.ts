import { createKeyRegister, type IssuedKey } from '#lib/ai-proxy/keys/key-register.ts';
import { createKeyHasher } from '#lib/ai-proxy/keys/key-text.ts';
import { loadPepper } from '#lib/ai-proxy/keys/pepper.ts';
import { type DatabaseOptions, openDatabase } from '#lib/storage/database.ts';
import { makeKeyInput } from '../factories/key-services.ts';

/** Creates a key with limits that no test reaches. @param pepper null: the file in `dataDir`. */
export async function makeKeyIn(
  options: DatabaseOptions,
  pepper: string | null = null,
): Promise<IssuedKey> {
  const database = await openDatabase(options);
  const toHash = createKeyHasher(loadPepper({ keyPepper: pepper, dataDir: options.dataDir }));
  const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
  const limits = { requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 };
  const issued = await register.create(makeKeyInput(limits));
  await database.close();
  return issued;
}
