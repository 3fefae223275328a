import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPepperCheck, requirePepper } from '#lib/keys/require-pepper.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';
import { makeKeyIn, openRegister } from '../../support/servers/make-key.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const lost = /^None of the API keys works with this pepper\. Restore /;

type Peppers = Readonly<{ pepper?: string | null; previousPepper?: string | null }>;

describeEachDatabase((createTestDatabase) => {
  async function open() {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    const dataDir = options.databaseUrl === null ? options.dataDir : makeTestFolder();
    const toParts = ({ pepper = null, previousPepper = null }: Peppers) => ({
      keys: database.keys,
      settings: { keys: { pepper, previousPepper }, storage: { dataDir } },
      now: Date.now,
    });
    return {
      options: { ...options, dataDir },
      toParts,
      register: openRegister(database, { dataDir }),
      require: (peppers: Peppers = {}) => requirePepper(toParts(peppers)),
    };
  }

  test('a pepper that is lost, or another one, is said where there are keys that need it', async () => {
    const { require, options, register } = await open();
    await require({ pepper: 'p'.repeat(32) });
    const key = await makeKeyIn(options);
    await require();
    await expect(require({ pepper: 'p'.repeat(32) })).rejects.toThrow(/KEY_PEPPER as it was/);
    rmSync(join(options.dataDir, 'pepper'));
    await expect(require()).rejects.toThrow(lost);
    // The next start makes another one.
    openRegister({ keys: {} as never }, { dataDir: options.dataDir });
    await expect(require()).rejects.toThrow(lost);
    await register.revoke(key.record.id);
    await require();
  });

  // ASVS 11.2.2
  test('a key with the previous pepper is enough', async () => {
    const { require, options } = await open();
    await makeKeyIn(options, 'old'.repeat(12));
    const pepper = 'new'.repeat(12);
    await expect(require({ pepper })).rejects.toThrow(lost);
    await require({ pepper, previousPepper: 'old'.repeat(12) });
  });
});

test('a check asks until it knows, and leaves it to others to say that the database is away', async () => {
  const away = new StorageError('away', { code: 'ECONNREFUSED' });
  const answers = [
    () => Promise.reject(away),
    async () => new Map([['another', 1]]),
    async () => new Map(),
  ];
  let asked = 0;
  const check = createPepperCheck({
    keys: {
      countByPepper: async () => (answers[asked++] ?? (() => Promise.reject(new Error())))(),
    },
    settings: {
      keys: { pepper: 'p'.repeat(32), previousPepper: null },
      storage: { dataDir: '/nowhere' },
    },
    now: Date.now,
  });
  await check();
  await expect(check()).rejects.toThrow(lost);
  await check();
  await check();
  expect(asked).toBe(3);
});
