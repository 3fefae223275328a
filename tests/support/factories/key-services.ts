import { noBudget } from '#lib/config/budget.ts';
import { openDatabase } from '#lib/database.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { createKeyAuthenticator, type OwnerRule } from '#lib/keys/key-authenticator.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { makeTestFolder } from '../temporary-folder.ts';
import { createTestLog } from '../test-log.ts';

export const keyDefaults = {
  requestsPerMinute: 60,
  tokensPerDay: 1_000_000,
  memberBudget: { ...noBudget, tokensPerDay: 1_000_000 },
  totalBudget: noBudget,
};

/** The key register and authenticator of one process, by default with a database of its own, and a fake clock. */
export async function openKeyServices(
  options: DatabaseOptions = { databaseUrl: null, dataDir: makeTestFolder() },
  clock: FakeClock = createFakeClock(),
  keysWorkUntil: OwnerRule = ({ isDisabled }) => (isDisabled ? null : Number.POSITIVE_INFINITY),
) {
  const { now } = clock;
  const database = await openDatabase({ ...options, now });
  const log = createTestLog();
  const toHash = createKeyHasher('a pepper that tests share');
  const reads = {
    count: 0,
    fail: false,
    /** While set, reads wait for it. */
    gate: Promise.resolve(),
  };
  async function read<T>(query: () => Promise<T>): Promise<T> {
    reads.count += 1;
    await reads.gate;
    if (!reads.fail) return query();
    throw new StorageError('canary of the database', { code: 'ECONNREFUSED' });
  }
  const authenticator = createKeyAuthenticator({
    keys: {
      findByHash: (hashes) => read(() => database.keys.findByHash(hashes)),
      setUsedFrom: database.keys.setUsedFrom,
    },
    members: { find: (id) => read(() => database.members.find(id)) },
    toHash,
    defaults: keyDefaults,
    siteUrl: 'https://events.example',
    keysWorkUntil,
    now,
    uptime: now,
    log,
  });
  return {
    database,
    clock,
    log,
    reads,
    register: createKeyRegister({ keys: database.keys, toHash, now }),
    authenticator,
    /** With the text of a key. */
    use: (text: string) => authenticator.authenticate(`Bearer ${text}`),
    [Symbol.asyncDispose]: database.close,
  };
}

export function makeKeyInput(overrides: Partial<CreateKeyInput> = {}): CreateKeyInput {
  return {
    name: 'laptop',
    models: null,
    requestsPerMinute: null,
    tokensPerDay: null,
    budget: null,
    expiresAt: null,
    ...overrides,
  };
}
